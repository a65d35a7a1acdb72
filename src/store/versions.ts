// SQL of trained versions: commit of a training, weights with their checksum, lists, restore.
import { createHash } from "node:crypto";
import { asc, eq, getTableColumns, max, sql } from "drizzle-orm";
import { TorusError } from "../core/errors.ts";
import type { ModelSettings } from "../core/model/model.ts";
import type { VersionSummary } from "../core/model/version-summary.ts";
import type { Db } from "./db/database.ts";
import type { Store } from "./db/open.ts";
import { prepareOnce } from "./db/prepared.ts";
import { jobs, models, versions } from "./db/schema.ts";
import { announce, read, type Tx, write } from "./db/transaction.ts";
import { claimFits, type SeriesFits, withStagedFits } from "./fleets/fit-sets.ts";
import { type Claim, transitionJob } from "./jobs/transitions.ts";
import { insertModel, type NewModel, requireModel } from "./models.ts";
import {
  assertVersionsExist,
  isVersion,
  removeSurplusVersions,
  type VersionRetention,
  versionNotFound,
} from "./version-retention.ts";

/** A version without its weights. */
export interface VersionRow {
  readonly model: string;
  /** "00", "01", ... */
  readonly name: string;
  /** ms since the epoch. */
  readonly createdAt: number;
  /** Range trained on, ms since the epoch; `toAt` exclusive. */
  readonly fromAt: number;
  readonly toAt: number;
  readonly summary: VersionSummary;
  /** Settings the training used. */
  readonly settings: ModelSettings;
}

/** A version in the list of its model. */
export interface ListedVersion extends VersionRow {
  /** Whether it is the active one. */
  readonly active: boolean;
}

/** A version with its weights. */
export interface LoadedVersion extends VersionRow {
  readonly weights: Float32Array;
  readonly parameters: Record<string, unknown>;
}

export interface NewVersion extends Omit<LoadedVersion, "name" | "createdAt"> {
  /** Of a fleet: its series. */
  readonly series?: SeriesFits | undefined;
}

/** The result of a training. */
interface TrainedVersion extends NewVersion {
  /** Retention of older versions; absent: all are kept. */
  readonly retention?: VersionRetention;
  /** Why the version must not become the active one; absent: it does. */
  readonly refused?: string | undefined;
}

const summaryColumns = {
  model: versions.model,
  name: versions.name,
  createdAt: versions.createdAt,
  fromAt: versions.fromAt,
  toAt: versions.toAt,
  summary: versions.summary,
  settings: versions.settings,
};

/**
 * Commits a training, all or nothing: the version with its series, now active unless it is refused, the end of the job, and the retention of older versions.
 * @returns name of the version; undefined where the job was canceled or the model deleted, then nothing has changed
 */
export function finishTraining(
  store: Store,
  claim: Claim,
  { series: fits, ...trained }: TrainedVersion,
): Promise<string | undefined> {
  return withStagedFits(store, { fits, at: claim.at }, (fitSet) =>
    write(store, (tx) => insertTrained(tx, claim, { ...trained, fitSet })),
  );
}

async function insertTrained(
  tx: Tx,
  { id, owner, at }: Claim,
  { retention, refused, ...trained }: StagedVersion & Omit<TrainedVersion, "series">,
): Promise<string | undefined> {
  const model = await tx.select().from(models).where(eq(models.name, trained.model)).get();
  if (!model) {
    await transitionJob(tx, { id, from: "running", to: "canceled", owner }, { endedAt: at });
    return undefined;
  }
  if (!(await transitionJob(tx, { id, from: "running", to: "done", owner }, { result: null, endedAt: at })))
    return undefined;
  const name = await insertVersion(tx, trained, at);
  const kept = refused === undefined ? null : model.activeVersion;
  if (kept !== null)
    await noteRefusal(tx, { id, model: model.name, kept, refused: `version ${name}: ${refused}` });
  else {
    const patch = { activeVersion: name, generation: model.generation + 1 };
    await tx.update(models).set(patch).where(eq(models.name, trained.model)).run();
    announce(tx, { type: "model", model: trained.model, step: "trained" });
  }
  if (retention) await removeSurplusVersions(tx, trained.model, retention);
  return name;
}

interface Refusal {
  /** Of the training. */
  readonly id: string;
  readonly model: string;
  /** The version that stays active. */
  readonly kept: string;
  readonly refused: string;
}

/** Shows the refusal in the result of the job, and in the state of the version that stays. */
async function noteRefusal(tx: Tx, { id, model, kept, refused }: Refusal): Promise<void> {
  const result = { refused };
  const resultBytes = JSON.stringify(result).length;
  await tx.update(jobs).set({ result, resultBytes }).where(eq(jobs.id, id)).run();
  const row = await tx
    .select({ summary: versions.summary })
    .from(versions)
    .where(isVersion(model, kept))
    .get();
  const summary = { ...row?.summary, refused };
  await tx.update(versions).set({ summary }).where(isVersion(model, kept)).run();
}

/**
 * Creates a model with a version that was trained elsewhere, active at once, both or neither.
 * @param at ms since the epoch
 * @returns name of the version
 * @throws TorusError `already_exists`
 */
export function createTrainedModel(
  store: Store,
  { model, version }: { model: NewModel; version: Omit<NewVersion, "model"> },
  at: number,
): Promise<string> {
  const { series: fits, ...rest } = version;
  return withStagedFits(store, { fits, at }, (fitSet) =>
    write(store, async (tx) => {
      await insertModel(tx, model, at);
      const activeVersion = await insertVersion(tx, { ...rest, fitSet, model: model.name }, at);
      await tx.update(models).set({ activeVersion }).where(eq(models.name, model.name)).run();
      return activeVersion;
    }),
  );
}

/** A version whose series are staged. */
interface StagedVersion extends Omit<NewVersion, "series"> {
  /** Absent: it has none. */
  readonly fitSet: number | undefined;
}

/** Numbers ascend from the newest version, which is never removed. */
async function insertVersion(
  tx: Tx,
  { weights, fitSet, ...rest }: StagedVersion,
  at: number,
): Promise<string> {
  const last = (
    await tx
      .select({ number: max(versions.number) })
      .from(versions)
      .where(eq(versions.model, rest.model))
      .get()
  )?.number;
  const number = (last ?? -1) + 1;
  const name = String(number).padStart(2, "0");
  const bytes = Buffer.from(weights.buffer, weights.byteOffset, weights.byteLength);
  await tx
    .insert(versions)
    .values({ ...rest, number, name, createdAt: at, weights: bytes, checksum: checksumOf(bytes) })
    .run();
  if (fitSet !== undefined) await claimFits(tx, fitSet, { model: rest.model, number });
  return name;
}

/** All versions of a model, oldest first. @throws TorusError `not_found` for an unknown model */
export function listVersions(store: Store, model: string): Promise<ListedVersion[]> {
  return read(store, async (db) => {
    const { activeVersion } = await requireModel(db, model);
    const rows = await db
      .select(summaryColumns)
      .from(versions)
      .where(eq(versions.model, model))
      .orderBy(asc(versions.number))
      .all();
    return rows.map((row) => ({ ...row, active: row.name === activeVersion }));
  });
}

const named = isVersion(sql.placeholder("model"), sql.placeholder("name"));
const { weights: _, ...besideWeights } = getTableColumns(versions);
const selectBesideWeights = (db: Db) => db.select(besideWeights).from(versions).where(named).prepare();
const selectWeights = (db: Db) =>
  db.select({ weights: versions.weights }).from(versions).where(named).prepare();

/**
 * A version with its weights, verified by their checksum.
 * @throws TorusError `not_found`, `weights_corrupt`
 */
export function loadVersion(store: Store, model: string, name: string): Promise<LoadedVersion> {
  return read(store, async (db) => {
    const row = await prepareOnce(db, selectBesideWeights).get({ model, name });
    if (!row) {
      await requireModel(db, model);
      throw versionNotFound(model, name);
    }
    const { checksum, number: _, ...rest } = row;
    const bytes = await loadWeights(
      store,
      checksum,
      async () => (await prepareOnce(db, selectWeights).get({ model, name }))?.weights,
    );
    if (!bytes) throw damagedWeights(model, name);
    // Copied for alignment: bytes of the database start at any offset, floats at a multiple of four.
    return { ...rest, weights: new Float32Array(new Uint8Array(bytes).buffer) };
  });
}

/** @returns undefined where the bytes are not those of the checksum, neither in the cache nor in the database */
async function loadWeights(
  { weights: cache }: Store,
  checksum: string,
  select: () => Promise<Uint8Array | undefined>,
): Promise<Uint8Array | undefined> {
  const isSound = (bytes: Uint8Array | undefined) =>
    bytes !== undefined && bytes.byteLength % 4 === 0 && checksumOf(bytes) === checksum;
  const known = cache?.get(checksum);
  if (known && isSound(known)) return known;
  if (known) cache?.drop(checksum);
  const bytes = await select();
  if (!bytes || !isSound(bytes)) return undefined;
  cache?.put(checksum, bytes);
  return bytes;
}

/**
 * Makes another version the active one.
 * @throws TorusError `not_found` for an unknown model or version
 */
export function restoreVersion(
  store: Store,
  { model, version }: { model: string; version: string },
  at: number,
): Promise<void> {
  return write(store, async (tx) => {
    const row = await requireModel(tx, model);
    await assertVersionsExist(tx, model, [version]);
    const patch = { activeVersion: version, generation: row.generation + 1, updatedAt: at };
    await tx.update(models).set(patch).where(eq(models.name, model)).run();
    announce(tx, { type: "model", model, step: "restored" });
  });
}

function checksumOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function damagedWeights(model: string, name: string): TorusError {
  const way = "train the model again or restore another version";
  return new TorusError(
    "weights_corrupt",
    `the weights of model ${model}, version ${name}, are damaged: ${way}`,
  );
}
