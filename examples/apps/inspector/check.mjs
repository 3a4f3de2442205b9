// Called by the tests with the page of the built app.
export default async function check(page, { expect, fixture }) {
  const [published, own] = ["#published", "#own"].map((id) => page.locator(id));
  await published.getByRole("table").waitFor();
  expect(await page.locator("#badge").textContent()).toBe("Encodings: rope");
  expect(await published.getByRole("row").count()).toBe(3);
  await page.locator("#model").selectOption("qwen2.5-yarn");
  await published.getByText("rope-yarn, dim 64").waitFor();
  expect(await page.locator("#badge").textContent()).toBe("Encodings: rope-yarn");

  const model = fixture("onnx/llama/model.onnx");
  const input = own.locator("input[type=file]");
  await input.setInputFiles([model, fixture("onnx/llama/config.json")]);
  await own.getByText("No problems were found.").waitFor();
  expect(await page.locator("#summary").textContent()).toBe("model.onnx: rope, 0 problems");
  await input.setInputFiles([model, fixture("onnx/gemma3/config.json")]);
  await own.locator('[part~="finding-error"], [part~="finding-warning"]').first().waitFor();
  await input.setInputFiles(fixture("README.md"));
  await own.getByRole("alert").waitFor();
  expect(await page.locator("#summary").textContent()).toBe("");

  await page.locator("#language").selectOption("zh-CN");
  await own.getByRole("button", { name: "选择文件" }).waitFor();
}
