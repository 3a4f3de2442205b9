// Files that are dropped onto <posenc-inspector>, also in folders.
import { describe, expect, it } from "vitest";
import { droppedFiles } from "../../../web/src/inspector/dropped";
import { folderOf, transferOf, type Dropped } from "../helpers/dropped";
import { range } from "../helpers/numbers";
import { caught } from "../helpers/refusals";

const file = (name: string) => new File(["x"], name);
const numbered = (count: number) => range(count).map((i) => file(`${i}.bin`));
const namesOf = async (...dropped: Dropped[]) => (await droppedFiles(transferOf(...dropped))).map(({ name }) => name);

describe("dropped files", () => {
  it("are those of the drop if it has no folder", async () => {
    expect(await namesOf(file("model.onnx"), file(".hidden"))).toEqual(["model.onnx", ".hidden"]);
    const textAlone = { items: [{ webkitGetAsEntry: () => null }], files: [] };
    expect(await droppedFiles(textAlone as unknown as DataTransfer)).toEqual([]);
  });

  it("are those of dropped folders and their folders, but for hidden ones", async () => {
    const checkout = folderOf("checkout", [
      file("config.json"),
      folderOf(".git", [file("HEAD")]),
      folderOf("onnx", [file("a.onnx"), file("b.onnx"), file("c.onnx"), folderOf("deeper", [file("d.onnx")])]),
      file(".gitattributes"),
    ]);
    expect(await namesOf(file("tokenizer.json"), checkout)).toEqual([
      "tokenizer.json",
      "config.json",
      "a.onnx",
      "b.onnx",
      "c.onnx",
    ]);
  });

  it("are up to 1000 of a folder", async () => {
    expect((await namesOf(folderOf("large", numbered(1000)))).length).toBe(1000);
  });

  const unreadable = (error: Error) => {
    const readEntries = (_: unknown, reject: (error: Error) => void) => reject(error);
    return { ...folderOf("locked", []), createReader: () => ({ readEntries }) } as unknown as FileSystemDirectoryEntry;
  };
  it.each<[string, Dropped, RegExp]>([
    ["without files", folderOf("empty", [folderOf("inner", [file(".hidden")])]), /has no files, nor have the folders/],
    [
      "that cannot be read",
      unreadable(new Error("not allowed")),
      /a dropped folder cannot be read \(Error: not allowed/,
    ],
    ["with too many files", folderOf("huge", numbered(1001)), /have more than 1000 files/],
    [
      "with too many in its folders",
      folderOf("huge", [folderOf("a", numbered(600)), ...numbered(401)]),
      /more than 1000/,
    ],
  ])("are an error for a folder %s", async (_, folder, message) => {
    const error = await caught(() => droppedFiles(transferOf(folder)));
    expect(error).toMatchObject({ name: "PosencError", code: "load-failed", field: "source" });
    expect((error as Error).message).toMatch(message);
  });
});
