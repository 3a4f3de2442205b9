// The README's picture shows the library's numbers: drawn anew it is the same, up to its last digit.
import { readFileSync } from "node:fs";
import { init } from "posenc";
import { expect, it } from "vitest";
import { drawFamilies, pictureFile } from "../../web/tasks/picture.mjs";

it("the picture of the README is fresh, and small (node web/tasks/picture.mjs draws it)", async () => {
  const picture = readFileSync(pictureFile, "utf8");
  expect(picture === drawFamilies(await init())).toBe(true);
  expect(picture.length).toBeLessThan(60_000);
});
