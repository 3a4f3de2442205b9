const checkIn = require("./check.cjs");

test("in Node", async () => {
  expect(typeof window).toBe("undefined");
  await checkIn("node");
});
