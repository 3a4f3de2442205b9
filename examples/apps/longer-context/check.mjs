// Called by the tests with the page of the built app.
export default async function check(page, { expect }) {
  const text = page.getByLabel("Text");
  await page.waitForFunction(() => document.querySelector("textarea").value.length > 10000);
  await page.getByRole("button", { name: "all rules" }).click();
  const rows = page.locator("tbody tr");
  await rows.nth(7).waitFor({ timeout: 240_000 });
  await page.locator('main[aria-busy="false"]').waitFor();
  const losses = {};
  for (const row of await rows.all()) {
    const [, within, beyond] = await row.locator("th, td").allTextContents();
    losses[await row.getAttribute("data-rule")] = [Number(within), Number(beyond)];
  }
  expect(losses.trained[0]).toBeLessThan(1.3);
  expect(losses.trained[1]).toBeGreaterThan(3);
  for (const rule of ["yarn", "dynamic", "selfExtend", "rerope", "window"])
    expect(losses[rule][1], rule).toBeLessThan(1.6);
  expect(losses.linear[1]).toBeGreaterThan(3);
  expect(await page.locator("polyline").count()).toBe(8);
  await page.getByRole("button", { name: "YaRN" }).click();
  expect((await page.locator("mark").textContent()).length).toBeGreaterThan(60);
  await text.fill("too short");
  await page.getByRole("button", { name: "YaRN" }).click();
  await page.getByRole("alert").waitFor();
  expect(await page.getByRole("alert").textContent()).toContain("9 tokens");
}
