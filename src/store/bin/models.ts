// Deletion of models: their settings, versions, hooks, labels, scores and deviations go to the bin, their live state ends.
import { and, asc, desc, eq } from "drizzle-orm";
import type { Store } from "../db/open.ts";
import { deviations, fitSets, hooks, labels, scores, versions } from "../db/schema.ts";
import { type Tx, write } from "../db/transaction.ts";
import { type Ending, endLive, findLive, type LiveOptions } from "../live.ts";
import { deleteModels, requireModel } from "../models.ts";
import { type Deletion, moveToBin, trimBin } from "./move.ts";
import type { Row, SourceName } from "./sources.ts";

/** Blocks of recorded scores that are kept of a model, the newest. */
export const MAX_SCORE_BLOCKS = 5000;
/** Deviations that are kept of a model, the newest. */
export const MAX_DEVIATIONS = 5000;

interface RemoveOptions {
  /** Absent: for good. */
  readonly deletion?: Deletion | undefined;
  /** How live detection ends; absent: without closing anything. */
  readonly ending?: Ending | undefined;
}

interface RemovedModels {
  /** Entries of the bin, in the order of the models. */
  readonly binned: readonly string[];
  /** Jobs canceled. */
  readonly canceled: readonly string[];
}

/**
 * Deletes models with all that belongs to them, all or none; cancels their active jobs and ends live detection.
 * @param at ms since the epoch
 * @throws TorusError `not_found` naming the first unknown one
 */
export function removeModels(
  store: Store,
  names: readonly string[],
  at: number,
  { deletion, ending }: RemoveOptions = {},
): Promise<RemovedModels> {
  return write(store, async (tx) => {
    const list = [...new Set(names)];
    for (const name of list) await requireModel(tx, name);
    const binned: string[] = [];
    for (const name of list) {
      const options = (await findLive(tx, name))?.options;
      // Before the rows are read: an end notifies the hooks.
      if (ending) await endLive(tx, [name], { at, ending, strict: false });
      if (!deletion) continue;
      const rows = rowsOf(tx, name, options);
      binned.push(await moveToBin(tx, { kind: "model", name, rows }, deletion));
    }
    const canceled = await deleteModels(tx, list, at);
    if (deletion) await trimBin(tx);
    return { binned, canceled };
  });
}

/** Rows of a model, versions one by one: weights may be large. */
async function* rowsOf(
  tx: Tx,
  model: string,
  options: LiveOptions | undefined,
): AsyncGenerator<readonly [SourceName, Row]> {
  yield ["models", await requireModel(tx, model)];
  const { number } = versions;
  const known = await tx.select({ number }).from(versions).where(eq(versions.model, model)).all();
  for (const one of known) {
    const isOne = and(eq(versions.model, model), eq(number, one.number));
    yield ["versions", (await tx.select().from(versions).where(isOne).get())!];
  }
  for (const row of await tx.select().from(fitSets).where(eq(fitSets.model, model)).all())
    yield ["fitSets", row];
  for (const row of await tx.select().from(hooks).where(eq(hooks.model, model)).all()) yield ["hooks", row];
  for (const row of await tx.select().from(labels).where(eq(labels.model, model)).all())
    yield ["labels", row];
  const blocks = tx.select().from(scores).where(eq(scores.model, model));
  for (const row of await blocks.orderBy(desc(scores.startAt), asc(scores.id)).limit(MAX_SCORE_BLOCKS).all())
    yield ["scores", row];
  const stretches = tx.select().from(deviations).where(eq(deviations.model, model));
  for (const row of await stretches.orderBy(desc(deviations.startAt)).limit(MAX_DEVIATIONS).all())
    yield ["deviations", row];
  if (options) yield ["live", { model, options }];
}
