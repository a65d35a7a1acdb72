// Lists in pages.

const PER_PAGE = 100;

/** Parameters of a page. */
export interface Page {
  /** From 0. */
  readonly page: number;
  readonly per_page: number;
}

/**
 * All pages of a list, each read when it is asked for: `pages((page) => torus.listJobs({ state: "done", ...page }))`.
 * Entries that come or go meanwhile move others to another page.
 * @param perPage 1 to 100
 */
export async function* pages<T>(
  ask: (page: Page) => Promise<readonly T[]>,
  perPage: number = PER_PAGE,
): AsyncGenerator<readonly T[], void, undefined> {
  for (let page = 0; ; page++) {
    const entries = await ask({ page, per_page: perPage });
    if (entries.length > 0) yield entries;
    if (entries.length < perPage) return;
  }
}
