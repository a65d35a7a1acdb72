// SQL of failed data sources: announced once per bucket, to each receiver once, in one transaction with the state.
import { and, eq, inArray, like, sql } from "drizzle-orm";
import type { HookEvent } from "../../core/anomaly/event.ts";
import { wantsEvent } from "../../core/anomaly/hook-options.ts";
import type { Store } from "../db/open.ts";
import { failedSources, hooks, live, models, outbox } from "../db/schema.ts";
import { read, type Tx, writeUncached } from "../db/transaction.ts";
import { findHook, type HookRow, placeOfHook } from "../hooks.ts";
import { refOf } from "./deliveries.ts";
import { insertRow } from "./outbox.ts";
import { listSelecting } from "./receiving.ts";
import { removeResends } from "./resends.ts";

export type FailedSource = typeof failedSources.$inferSelect;

/** The failures that were announced and not ended, by bucket. */
export function listFailedSources(store: Store): Promise<FailedSource[]> {
  return read(store, (db) => db.select().from(failedSources).orderBy(failedSources.bucket).all());
}

/** A failure that a node found, and the event of one that was recorded. */
interface FoundFailure {
  readonly row: FailedSource;
  readonly describe: (row: FailedSource) => HookEvent;
  /** Those of the node that read the bucket live. */
  readonly models: readonly string[];
}

/**
 * Records a failure, unless another node has, and announces it to the hooks of its models that get such events; of hooks
 * with the same settings, to one.
 * @returns the failure as it is recorded
 */
export function openFailedSource(
  store: Store,
  { row, describe, models }: FoundFailure,
): Promise<FailedSource> {
  return writeUncached(store, async (tx) => {
    const isOfBucket = eq(failedSources.bucket, row.bucket);
    const known = await tx.select().from(failedSources).where(isOfBucket).get();
    if (!known) await tx.insert(failedSources).values(row).run();
    const event = describe(known ?? row);
    const reached = known ? await listReached(tx, event) : new Set();
    for (const hook of await listReceiving(store, tx, event, models))
      if (!reached.has(hook.receiver)) await insertFor(tx, event, hook);
    return known ?? row;
  });
}

/** Records the error of a later read, unless the failure has ended. */
export function renewFailedSource(
  store: Store,
  { bucket, episode, code, reason }: FailedSource,
): Promise<void> {
  return writeUncached(store, async (tx) => {
    const isOfFailure = and(eq(failedSources.bucket, bucket), eq(failedSources.episode, episode));
    await tx.update(failedSources).set({ code, reason }).where(isOfFailure).run();
  });
}

/** Receivers that another node has put the event into the outbox for. */
async function listReached(tx: Tx, event: HookEvent): Promise<ReadonlySet<string | null>> {
  const rows = await tx
    .select({ receiver: outbox.receiver })
    .from(outbox)
    .where(like(outbox.id, `${event.id}/%`))
    .all();
  return new Set(rows.map(({ receiver }) => receiver));
}

/** Whether the settings of a live model, on any node, name the bucket; text in quotes counts as a name. */
export function isBucketNamed(store: Store, bucket: string): Promise<boolean> {
  return read(store, async (db) => {
    const isNamed = sql`instr(${models.settings}, ${JSON.stringify(bucket)}) > 0`;
    const found = db.select({ name: models.name }).from(models).innerJoin(live, eq(live.model, models.name));
    return (await found.where(isNamed).limit(1).get()) !== undefined;
  });
}

/** Ends a failure, unless another node has; its end goes where its start went. */
export function closeFailedSource(store: Store, bucket: string, event: HookEvent): Promise<void> {
  return writeUncached(store, async (tx) => {
    const isOfEvent = and(eq(failedSources.bucket, bucket), eq(failedSources.episode, event.episode));
    const ended = await tx
      .delete(failedSources)
      .where(isOfEvent)
      .returning({ at: failedSources.startedAt })
      .all();
    if (ended.length === 0) return;
    const starts = await tx
      .select({ model: outbox.model, hook: outbox.hook, isGlobal: outbox.isGlobal })
      .from(outbox)
      .where(and(like(outbox.id, `${event.episode}:start/%`), eq(outbox.resend, false)))
      .all();
    for (const model of new Set(starts.map((start) => start.model)))
      await removeResends(tx, { ...event, model });
    for (const start of starts) {
      const hook = await findHook(tx, refOf(start));
      if (hook) await insertFor(tx, event, hook);
    }
  });
}

async function listReceiving(
  store: Store,
  tx: Tx,
  event: HookEvent,
  models: readonly string[],
): Promise<HookRow[]> {
  const attached = (
    await tx
      .select()
      .from(hooks)
      .where(inArray(hooks.model, [...models]))
      .orderBy(hooks.model, hooks.name)
      .all()
  ).filter(({ options }) => wantsEvent(options, event.kind));
  const seen = new Set<string>();
  const distinct = attached.filter((hook) => {
    const place = placeOfHook(hook);
    const settings = JSON.stringify([hook.kind, store.vault.open(place, hook.config)]);
    return !seen.has(settings) && seen.add(settings);
  });
  const selecting = new Map<string, HookRow>();
  for (const model of models)
    for (const hook of await listSelecting(tx, { ...event, model })) selecting.set(hook.name, hook);
  return [...distinct, ...selecting.values()];
}

/** A hook of a model gets the event as one of that model, since its deliveries are ordered by model. */
async function insertFor(tx: Tx, event: HookEvent, hook: HookRow): Promise<void> {
  const { model, name } = hook;
  const row =
    model === null ? { event, hook } : { event: { ...event, model }, hook, key: `model/${model}/${name}` };
  await insertRow(tx, row, { at: event.at });
}
