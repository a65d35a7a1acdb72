// Long lists of the API: read and shown some entries at a time, so that other requests are answered in between.
import { JsonPages } from "../../core/formats/json-pieces.ts";
import { arrange, type Listing, project } from "../../core/input/listing.ts";
import { yieldToEventLoop } from "../../runtime/steps.ts";
import { NO_LIMIT } from "../../store/db/pages.ts";
import type { Page } from "../../store/models.ts";

/** Entries up to which a list is made at once. */
export const MAX_AT_ONCE = 2000;
/** Entries shown at a time: some 10 ms. */
const PAGE = 500;

interface LongList<R> {
  /** All rows, in the order of the list where it is `inOrder`. */
  readonly pages: AsyncIterable<readonly R[]>;
  readonly isInOrder: boolean;
  readonly view: (rows: readonly R[]) => Promise<readonly object[]> | readonly object[];
}

/** The page to read where the database sorts and cuts: in the order of `key`. */
export function findPage({ sort, page }: Listing, key: string): Page | undefined {
  if (sort?.path.join(".") !== key) return undefined;
  const { descending } = sort;
  if (!page) return { offset: 0, limit: NO_LIMIT, descending };
  if (!Number.isSafeInteger(page.to)) return undefined;
  return { offset: page.from, limit: page.to - page.from, descending };
}

/** A list as a listing asks for it. @returns a page of it, or all of it in pages */
export async function showLongList<R>(
  { pages, isInOrder, view }: LongList<R>,
  listing: Listing,
): Promise<object[] | JsonPages> {
  const show = async (rows: readonly R[]) => (await view(rows)).map((one) => project(one, listing));
  if (isInOrder && !listing.page) return new JsonPages(mapPages(pages, show));
  const views: object[] = [];
  for await (const page of pages) views.push(...(await view(page)));
  const shown = arrange(views, listing).map((one) => project(one, listing));
  return listing.page ? shown : new JsonPages(cut(shown));
}

async function* mapPages<R>(
  pages: AsyncIterable<readonly R[]>,
  show: (rows: readonly R[]) => Promise<readonly object[]>,
): AsyncGenerator<readonly object[]> {
  for await (const page of pages) yield await show(page);
}

async function* cut(list: readonly object[]): AsyncGenerator<readonly object[]> {
  for (let from = 0; from < list.length; from += PAGE) {
    yield list.slice(from, from + PAGE);
    await yieldToEventLoop();
  }
}
