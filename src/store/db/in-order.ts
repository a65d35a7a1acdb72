// Statements for each item of a list, one after the other: a transaction has one connection.

/** As `map`, of work that is awaited. */
export async function mapInOrder<T, R>(items: Iterable<T>, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

/** Items whose statements are under way at the same time. */
const PIPELINED = 200;

/**
 * As `mapInOrder`, of work whose items do not depend on one another: on PostgreSQL their statements are sent without
 * waiting for the answers to those of others, in one session. SQLite runs them one by one.
 * @throws what the first item in the list throws, after the others have ended
 */
export async function mapPipelined<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += PIPELINED) {
    const part = await Promise.allSettled(items.slice(from, from + PIPELINED).map(work));
    for (const settled of part) {
      if (settled.status === "rejected") throw settled.reason;
      results.push(settled.value);
    }
  }
  return results;
}

/** As `filter`, of a test that is awaited. */
export async function filterInOrder<T>(
  items: Iterable<T>,
  test: (item: T) => boolean | Promise<boolean>,
): Promise<T[]> {
  const kept: T[] = [];
  for (const item of items) if (await test(item)) kept.push(item);
  return kept;
}
