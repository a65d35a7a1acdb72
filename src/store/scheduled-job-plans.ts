// SQL of planned scheduled jobs: those of the configuration and of models are reconciled in one transaction.
import { inArray } from "drizzle-orm";
import type { RetrainedModel } from "../core/model/retrain.ts";
import type { JobPlan, KnownJob } from "../core/time/scheduled-plan.ts";
import type { Store } from "./db/open.ts";
import { models, scheduledJobs } from "./db/schema.ts";
import { type Tx, write } from "./db/transaction.ts";
import { MAX_NAMES, type NewDefinition, openRow, putJob, removeJobs } from "./scheduled-jobs.ts";

/** Models and jobs that a change may concern. */
interface PlanScope {
  readonly models: readonly string[];
  readonly jobs: readonly string[];
}

/**
 * Reconciles the jobs of the configuration with the models, in one transaction.
 * @param plan gets the names of the models and the jobs within the scope, absent: of all
 * @returns whether any job was created, changed or deleted
 */
export function applyJobPlan(
  store: Store,
  plan: (models: string[], known: KnownJob[]) => JobPlan,
  { at, scope }: { at: number; scope?: PlanScope },
): Promise<boolean> {
  return write(store, async (tx) => {
    const names = await selectIn(scope?.models, (some) =>
      tx
        .select({ name: models.name })
        .from(models)
        .where(some && inArray(models.name, some))
        .orderBy(models.name)
        .all(),
    );
    const made = plan(
      names.map((row) => row.name),
      await listKnown(tx, store, scope),
    );
    return applyPlan(tx, store, { ...made, origin: "config", at });
  });
}

/**
 * Reconciles the jobs that belong to models with the settings of these, in one transaction.
 * @param plan gets the models and the jobs within the scope, absent: all
 * @returns whether any job was created, changed or deleted
 */
export function applyRetrainPlan(
  store: Store,
  plan: (models: RetrainedModel[], known: KnownJob[]) => JobPlan,
  { at, scope }: { at: number; scope?: PlanScope },
): Promise<boolean> {
  return write(store, async (tx) => {
    const rows = await selectIn(scope?.models, (some) =>
      tx
        .select({ name: models.name, settings: models.settings })
        .from(models)
        .where(some && inArray(models.name, some))
        .all(),
    );
    const retrained = rows.map(
      ({ name, settings }) => ({ name, retrain: settings.retrain }) as RetrainedModel,
    );
    const made = plan(retrained, await listKnown(tx, store, scope));
    return applyPlan(tx, store, { ...made, origin: "model", at });
  });
}

async function listKnown(tx: Tx, store: Store, scope: PlanScope | undefined): Promise<KnownJob[]> {
  const { name, origin, definition } = scheduledJobs;
  const rows = await selectIn(scope?.jobs, (some) =>
    tx
      .select({ name, origin, definition })
      .from(scheduledJobs)
      .where(some && inArray(name, some))
      .all(),
  );
  return rows.map((row) => openRow(store, row));
}

/** Selects rows by name, `MAX_NAMES` per statement; absent names: all rows at once. */
async function selectIn<R>(
  names: readonly string[] | undefined,
  select: (some: readonly string[] | undefined) => Promise<R[]>,
): Promise<R[]> {
  if (!names) return select(undefined);
  const rows: R[] = [];
  for (let i = 0; i < names.length; i += MAX_NAMES)
    rows.push(...(await select(names.slice(i, i + MAX_NAMES))));
  return rows;
}

async function applyPlan(
  tx: Tx,
  store: Store,
  { put, remove, origin, at }: JobPlan & Omit<NewDefinition, "definition">,
): Promise<boolean> {
  await removeJobs(tx, remove);
  for (const definition of put) await putJob(tx, store, { definition, origin, at });
  return put.length + remove.length > 0;
}
