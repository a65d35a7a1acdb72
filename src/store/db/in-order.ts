// Statements for each item of a list, one after the other: a transaction has one connection.

/** As `map`, of work that is awaited. */
export async function mapInOrder<T, R>(items: Iterable<T>, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
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
