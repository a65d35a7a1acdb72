// SQL of the versions that go, and of those that must not: whoever works with one finds it until the end.
import { and, eq, inArray, sql } from "drizzle-orm";
import { TorusError } from "../core/errors.ts";
import { surplusVersions } from "../core/model/version-retention.ts";
import { jobs, models, versions } from "./db/schema.ts";
import type { Tx } from "./db/transaction.ts";

export interface VersionRetention {
  /** Versions of a model that stay, the newest ones; at least 1. */
  readonly keep: number;
  /** Names of the versions that the input of a job refers to. */
  readonly versionsIn: (input: unknown) => readonly string[];
}

/**
 * Removes what a model has more than it keeps, with everything that belongs to it; never the version that answers, nor
 * one that a job works with which has not ended.
 */
export function removeSurplus(tx: Tx, model: string, { keep, versionsIn }: VersionRetention): void {
  const columns = { name: versions.name, number: versions.number };
  const found = tx.select(columns).from(versions).where(eq(versions.model, model)).all();
  if (found.length <= keep) return;
  const needed = new Set([...activeOf(tx, model), ...inputsOf(tx, model).flatMap(versionsIn)]);
  const surplus = surplusVersions(found, { keep, needed });
  if (surplus.length === 0) return;
  // Any number of them is one parameter.
  const gone = sql`${versions.number} in (select value from json_each(${JSON.stringify(surplus)}))`;
  tx.delete(versions)
    .where(and(eq(versions.model, model), gone))
    .run();
}

function activeOf(tx: Tx, model: string): string[] {
  const row = tx.select({ name: models.activeVersion }).from(models).where(eq(models.name, model)).get();
  return row?.name ? [row.name] : [];
}

/** Of the model's jobs that have not ended. */
function inputsOf(tx: Tx, model: string): unknown[] {
  return tx
    .select({ input: jobs.input })
    .from(jobs)
    .where(and(eq(jobs.model, model), inArray(jobs.state, ["waiting", "running"])))
    .all()
    .map(({ input }) => input);
}

/** @throws TorusError `not_found` naming the first version that is not, or no longer, there */
export function expectVersions(tx: Pick<Tx, "select">, model: string, names: readonly string[]): void {
  for (const name of names) {
    const found = tx.select({ name: versions.name }).from(versions).where(isVersion(model, name)).get();
    if (!found) throw unknownVersion(model, name);
  }
}

/** The row of a version. */
export function isVersion(model: string, name: string) {
  return and(eq(versions.model, model), eq(versions.name, name));
}

/** What is said of a version that is not there. */
export function unknownVersion(model: string, name: string): TorusError {
  return new TorusError("not_found", `model ${model} has no version ${name}`);
}
