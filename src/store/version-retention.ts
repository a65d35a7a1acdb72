// SQL of version retention: removes surplus versions, but none that is active or that an active job uses.
import { and, eq, inArray, type Placeholder, sql } from "drizzle-orm";
import { TorusError } from "../core/errors.ts";
import { surplusVersions } from "../core/model/version-retention.ts";
import { jobs, models, versions } from "./db/schema.ts";
import type { Tx } from "./db/transaction.ts";

export interface VersionRetention {
  /** Number of newest versions to keep; at least 1. */
  readonly keep: number;
  /** Names of the versions that the input of a job refers to. */
  readonly versionsIn: (input: unknown) => readonly string[];
}

/**
 * Removes the surplus versions of a model; never the active one, nor one that a waiting or running job uses.
 */
export async function removeSurplusVersions(
  tx: Tx,
  model: string,
  { keep, versionsIn }: VersionRetention,
): Promise<void> {
  const columns = { name: versions.name, number: versions.number };
  const found = await tx.select(columns).from(versions).where(eq(versions.model, model)).all();
  if (found.length <= keep) return;
  const needed = new Set([
    ...(await findActiveVersion(tx, model)),
    ...(await listActiveInputs(tx, model)).flatMap(versionsIn),
  ]);
  const surplus = surplusVersions(found, { keep, needed });
  if (surplus.length === 0) return;
  // One parameter, whatever their number.
  const isSurplus = sql`${versions.number} in (select cast(value as bigint) from json_each(${JSON.stringify(surplus)}))`;
  await tx
    .delete(versions)
    .where(and(eq(versions.model, model), isSurplus))
    .run();
}

async function findActiveVersion(tx: Tx, model: string): Promise<string[]> {
  const row = await tx
    .select({ name: models.activeVersion })
    .from(models)
    .where(eq(models.name, model))
    .get();
  return row?.name ? [row.name] : [];
}

/** Inputs of the waiting and running jobs of a model. */
async function listActiveInputs(tx: Tx, model: string): Promise<unknown[]> {
  return (
    await tx
      .select({ input: jobs.input })
      .from(jobs)
      .where(and(eq(jobs.model, model), inArray(jobs.state, ["waiting", "running"])))
      .all()
  ).map(({ input }) => input);
}

/** @throws TorusError `not_found` naming the first version that does not exist */
export async function assertVersionsExist(
  tx: Pick<Tx, "select">,
  model: string,
  names: readonly string[],
): Promise<void> {
  for (const name of names) {
    const found = await tx.select({ name: versions.name }).from(versions).where(isVersion(model, name)).get();
    if (!found) throw versionNotFound(model, name);
  }
}

/** Condition: the row of a version. */
export function isVersion(model: string | Placeholder, name: string | Placeholder) {
  return and(eq(versions.model, model), eq(versions.name, name));
}

export function versionNotFound(model: string, name: string): TorusError {
  return new TorusError("not_found", `model ${model} has no version ${name.slice(0, 64)}`);
}
