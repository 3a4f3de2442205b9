// Called by the tests with the page of the built app.
export default async function check(page, { expect, fixture }) {
  const rows = page.locator("tbody tr");
  const note = page.locator(".note").last();
  await rows.nth(15).waitFor({ timeout: 60_000 });
  expect(await rows.count()).toBe(16);
  expect(await note.textContent()).toContain("256 tokens of the text");
  expect(await page.locator("polyline").count()).toBe(1);
  await page
    .locator("canvas")
    .first()
    .hover({ position: { x: 1, y: 5 } });
  expect(await page.locator("output").textContent()).toMatch(/^Head 0\.0: 0\.\d{4} at distance 0$/);

  // ALiBi, without a tokenizer: a line for each head, which falls by its slope.
  await page.locator('input[type="file"]').setInputFiles(fixture("onnx/bloom/model.onnx"));
  await page.getByText("model.onnx, 256 random token ids").waitFor();
  expect(await page.locator("polyline").count()).toBe(4);
  expect(await page.locator("figcaption").textContent()).toContain("bias slopes: alibi, heads 4");
  expect(await rows.count()).toBe(8);

  // An encoder.
  await page.locator('input[type="file"]').setInputFiles(fixture("onnx/t5/encoder_model.onnx"));
  await page.getByText("encoder_model.onnx, 256 random token ids, distances in both directions").waitFor();

  // A table of 64 positions.
  await page.locator('input[type="file"]').setInputFiles(fixture("onnx/roberta/model.onnx"));
  await page.getByText("model.onnx, 64 random token ids").waitFor();

  // A model of images: its positions are found, but it reads no text.
  await page.locator('input[type="file"]').setInputFiles(fixture("onnx/vit-tjs/model.onnx"));
  await page.getByRole("alert").waitFor();
  expect(await page.getByRole("alert").textContent()).toContain("pixel_values");

  const buffer = Buffer.from("not a model");
  await page.locator('input[type="file"]').setInputFiles({ name: "text.onnx", mimeType: "text/plain", buffer });
  await page.getByText("PosencError").waitFor();
}
