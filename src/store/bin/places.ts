// Conditions of a restoring: a free name, the cap of its kind, and the model of a hook.
import { TorusError } from "../../core/errors.ts";
import { assertBelowCap } from "../db/caps.ts";
import { announce, signal, type Tx } from "../db/transaction.ts";
import { isResource, tableOf } from "../resource-tables.ts";
import type { BinEntry } from "./entries.ts";

type Named = Pick<BinEntry, "kind" | "model">;

/**
 * Refuses a restored resource that has no place.
 * @throws TorusError `already_exists`, `not_found` for the model of a hook, `invalid` beyond the cap
 */
export async function assertFree(tx: Tx, entry: Named, name: string): Promise<void> {
  const { cap, counted, noun } = tableOf(entry);
  const { model } = entry;
  if (model !== null && !(await exists(tx, { kind: "model", model: null }, model)))
    throw new TorusError("not_found", `model ${model} of the hook does not exist: restore the model first`);
  if (await exists(tx, entry, name))
    throw new TorusError(
      "already_exists",
      `${noun} ${name} exists: delete it first, or restore the deleted one under another name with ?name=`,
    );
  await assertBelowCap(tx, cap, counted);
}

async function exists(tx: Tx, of: Named, name: string): Promise<boolean> {
  const { table } = tableOf(of);
  const found = await tx.select({ name: table.name }).from(table).where(isResource(of, name)).get();
  return found !== undefined;
}

/** Tells others of a restored resource. */
export function announceRestored(tx: Tx, { kind }: Named, name: string): void {
  const step = "created" as const;
  if (kind === "model") announce(tx, { type: "model", model: name, step });
  if (kind === "bucket") announce(tx, { type: "bucket", bucket: name, step });
  if (kind === "calendar") announce(tx, { type: "calendar", calendar: name, step });
  if (kind === "scheduled_job") signal(tx, { topic: "scheduled_jobs", name });
}
