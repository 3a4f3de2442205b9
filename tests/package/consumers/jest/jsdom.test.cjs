/** @jest-environment jsdom */
const checkIn = require("./check.cjs");

test("in jsdom", async () => {
  expect(document.body).toBeTruthy();
  await checkIn("jsdom");
});
