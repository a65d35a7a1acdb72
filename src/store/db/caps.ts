// Caps on the number of resources, so that no client can fill the disk with them.
import type { SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { invalid } from "../../core/errors.ts";
import { countOf } from "./pages.ts";
import { buckets, calendars, globalHooks, hooks, models, scheduledJobs, templates } from "./schema.ts";
import type { Tx } from "./transaction.ts";

interface Cap {
  readonly table: SQLiteTable;
  readonly max: number;
  readonly noun: string;
}

export const caps = {
  buckets: { table: buckets, max: 1000, noun: "buckets" },
  /** Their texts stay in memory once they are in use. */
  calendars: { table: calendars, max: 100, noun: "calendars" },
  models: { table: models, max: 100_000, noun: "models" },
  templates: { table: templates, max: 1000, noun: "templates" },
  scheduledJobs: { table: scheduledJobs, max: 10_000, noun: "scheduled jobs" },
  globalHooks: { table: globalHooks, max: 100, noun: "global hooks" },
  /** Of one model. */
  hooks: { table: hooks, max: 100, noun: "hooks of this model" },
} as const satisfies Record<string, Cap>;

/**
 * @param which the rows that count; absent: all
 * @throws TorusError `invalid` naming the cap
 */
export async function assertBelowCap(
  tx: Pick<Tx, "select">,
  { table, max, noun }: Cap,
  which?: SQL,
): Promise<void> {
  if ((await countOf(tx, table, which)) < max) return;
  throw invalid("", `there are ${max} ${noun}, the most there can be: delete those no longer needed`);
}
