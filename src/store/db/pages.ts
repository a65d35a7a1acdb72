// Pages of rows in the order of a key, between which other work runs, and the number of rows on all pages.
import { count, type SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { yieldToEventLoop } from "../../runtime/steps.ts";
import type { Db } from "./database.ts";

/** Limit of a list that is read whole: PostgreSQL knows no negative one. */
export const NO_LIMIT = Number.MAX_SAFE_INTEGER;

interface Paging<R> {
  /** Rows of a full page: a shorter one is the last. */
  readonly size: number;
  /** The rows beyond a key; undefined: the first ones. */
  readonly readBeyond: (last: string | undefined) => Promise<readonly R[]>;
  readonly keyOf: (row: R) => string;
}

export async function* readInPages<R>({ size, readBeyond, keyOf }: Paging<R>): AsyncGenerator<readonly R[]> {
  let last: string | undefined;
  for (;;) {
    const page = await readBeyond(last);
    if (page.length > 0) yield page;
    if (page.length < size) return;
    last = keyOf(page.at(-1)!);
    await yieldToEventLoop();
  }
}

/** Number of rows. @param where absent: all */
export async function countOf(db: Pick<Db, "select">, table: SQLiteTable, where?: SQL): Promise<number> {
  return (await db.select({ n: count() }).from(table).where(where).get())!.n;
}
