// Conditions of a restoring: a free name, the cap of its kind, and the model of a hook.
import { and, eq, type SQL } from "drizzle-orm";
import { TorusError } from "../../core/errors.ts";
import { assertBelowCap, caps } from "../db/caps.ts";
import { buckets, calendars, globalHooks, hooks, models, scheduledJobs, templates } from "../db/schema.ts";
import { announce, signal, type Tx } from "../db/transaction.ts";
import type { BinEntry } from "./entries.ts";

type Named = Pick<BinEntry, "kind" | "model">;

interface Place {
  readonly table: typeof hooks | (typeof tables)[keyof typeof tables]["table"];
  readonly cap: (typeof caps)[keyof typeof caps];
  /** The rows that count; absent: all. */
  readonly which?: SQL;
  /** In messages. */
  readonly noun: string;
}

const tables = {
  bucket: { table: buckets, cap: caps.buckets, noun: "bucket" },
  calendar: { table: calendars, cap: caps.calendars, noun: "calendar" },
  template: { table: templates, cap: caps.templates, noun: "template" },
  model: { table: models, cap: caps.models, noun: "model" },
  hook: { table: globalHooks, cap: caps.globalHooks, noun: "global hook" },
  scheduled_job: {
    table: scheduledJobs,
    cap: caps.scheduledJobs,
    which: eq(scheduledJobs.origin, "api"),
    noun: "scheduled job",
  },
} as const;

function placeOf({ kind, model }: Named): Place {
  if (kind === "hook" && model !== null)
    return { table: hooks, cap: caps.hooks, which: eq(hooks.model, model), noun: `hook of model ${model}` };
  return tables[kind];
}

/**
 * Refuses a restored resource that has no place.
 * @throws TorusError `already_exists`, `not_found` for the model of a hook, `invalid` beyond the cap
 */
export async function assertFree(tx: Tx, entry: Named, name: string): Promise<void> {
  const { table, cap, which, noun } = placeOf(entry);
  const { model } = entry;
  const owner = model !== null && (await find(tx, models, eq(models.name, model)));
  if (owner === undefined)
    throw new TorusError("not_found", `model ${model} of the hook does not exist: restore the model first`);
  const isTaken = and(eq(table.name, name), entry.kind === "hook" ? which : undefined);
  if (await find(tx, table, isTaken))
    throw new TorusError(
      "already_exists",
      `${noun} ${name} exists: delete it first, or restore the deleted one under another name with ?name=`,
    );
  await assertBelowCap(tx, cap, which);
}

function find(tx: Tx, table: Place["table"], where: SQL | undefined) {
  return tx.select({ name: table.name }).from(table).where(where).get();
}

/** Tells others of a restored resource. */
export function announceRestored(tx: Tx, { kind }: Named, name: string): void {
  const step = "created" as const;
  if (kind === "model") announce(tx, { type: "model", model: name, step });
  if (kind === "bucket") announce(tx, { type: "bucket", bucket: name, step });
  if (kind === "calendar") announce(tx, { type: "calendar", calendar: name, step });
  if (kind === "scheduled_job") signal(tx, { topic: "scheduled_jobs", name });
}
