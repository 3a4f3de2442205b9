/** Calls `work` with each item, two at a time, as many as a small machine has processors. */
export async function byTwo(items, work) {
  const left = [...items];
  const one = async () => {
    while (left.length > 0) await work(left.shift());
  };
  await Promise.all([one(), one()]);
}
