// Bounded concurrency over a list: results in the order of the items; the first failure ends all.

/**
 * Runs work for each item, `limit` at a time, in order.
 * @param work is called no more once one has rejected; those that run are waited for
 * @returns the results, by item
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  let isFailed = false;
  const runNext = async (): Promise<void> => {
    while (next < items.length && !isFailed) {
      const index = next++;
      try {
        results[index] = await work(items[index]!, index);
      } catch (error) {
        isFailed = true;
        throw error;
      }
    }
  };
  const runners = Array.from({ length: Math.min(limit, items.length) }, runNext);
  const ends = await Promise.allSettled(runners);
  const failure = ends.find(({ status }) => status === "rejected");
  if (failure?.status === "rejected") throw failure.reason;
  return results;
}
