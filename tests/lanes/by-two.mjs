/** Calls `work` with each of these, two at a time, as many as a small machine has processors: each takes the next. */
export async function byTwo(items, work) {
  const left = [...items];
  const one = async () => {
    while (left.length > 0) await work(left.shift());
  };
  await Promise.all([one(), one()]);
}
