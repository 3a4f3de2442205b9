// The README's picture and the diagrams of the guides show the library's values: drawn anew they are the same.
import { readFileSync } from "node:fs";
import { init } from "posenc";
import { expect, it } from "vitest";
import { diagrams } from "../../web/tasks/diagrams.mjs";
import { inRoot } from "../../web/tasks/prepare.mjs";
import { drawFamilies, pictureFile } from "../../web/tasks/picture.mjs";

it("the picture of the README is fresh, and small (node web/tasks/picture.mjs draws it)", async () => {
  const picture = readFileSync(pictureFile, "utf8");
  expect(picture === drawFamilies(await init())).toBe(true);
  expect(picture.length).toBeLessThan(60_000);
});

it("the diagrams of the guides are fresh (node web/tasks/diagrams.mjs draws them)", async () => {
  for (const [name, svg] of Object.entries(diagrams(await init())))
    expect(readFileSync(inRoot("web", "docs", name), "utf8") === svg, name).toBe(true);
});
