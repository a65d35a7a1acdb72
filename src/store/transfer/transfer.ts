// Transfer of the state between a data directory and PostgreSQL; the source stays, an interrupted one changes nothing.
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { TorusError } from "../../core/errors.ts";
import { FILE, hasStore, MOVED, openStore } from "../db/open.ts";
import { type ExclusiveOptions, openSource, openTarget } from "../postgres/exclusive.ts";
import { KEY_ID, type Sealing } from "../secrets/rotate.ts";
import { keyIdOf } from "../secrets/seal.ts";
import { KEY_FILE, requireKey } from "../secrets/seal-key.ts";
import {
  type CopiedTable,
  copyState,
  countRows,
  describeState,
  isSameState,
  type OnProgress,
} from "./copy.ts";
import { PostgresSide } from "./postgres-side.ts";
import type { Side } from "./side.ts";
import { SqliteSide } from "./sqlite-side.ts";
import { stateTables } from "./tables.ts";

/** In the data directory until it is complete. */
const PART = `${FILE}.migrating`;
/** Buckets in a message. */
const MAX_NAMED = 5;
const bucketsTable = stateTables.find(({ name }) => name === "buckets")!;

export interface TransferOptions {
  /** Data directory. */
  readonly dir: string;
  readonly postgres: ExclusiveOptions;
  /** The key that the secrets are sealed with; it stays the same. */
  readonly sealing: Pick<Sealing, "key" | "file">;
  /** Kinds of buckets whose points are files of a data directory, which are not copied; empty: all are fine. */
  readonly fileKinds: readonly string[];
  readonly onProgress: OnProgress;
  /** ms since the epoch; names the file that is left. */
  readonly now: number;
}

interface Transferred {
  readonly tables: readonly CopiedTable[];
  /** The database file that is left, where there is one. */
  readonly left?: string;
}

/**
 * Copies the state of a data directory into PostgreSQL, then renames its database.
 * @throws TorusError `internal` with the steps to take; nothing has changed then
 */
export async function transferToPostgres(options: TransferOptions): Promise<Transferred> {
  const { dir, postgres, now } = options;
  if (!hasStore(dir)) throw new TorusError("internal", `the data directory ${dir} holds no ${FILE}`);
  const tables = await between(
    options,
    async () => new SqliteSide(openStore({ dir, asIs: true })),
    async () => new PostgresSide(await openTarget(postgres)),
    async (source, target) => {
      const held = await describeState(target);
      if (held !== "" && !(await isSameState(source, target)))
        throw new TorusError(
          "internal",
          `the database holds a state already (${held}): name an empty one, or drop its schema`,
        );
      return held === "" ? copyState(source, target, options.onProgress) : countRows(source);
    },
  );
  const left = `${FILE}${MOVED}${new Date(now).toISOString().replace(/[-:]|\.\d+/g, "")}`;
  renameSync(join(dir, FILE), join(dir, left));
  return { tables, left: join(dir, left) };
}

/**
 * Copies the state of PostgreSQL into a data directory without one.
 * @throws TorusError `internal` with the steps to take; nothing has changed then
 */
export async function transferToDirectory(options: TransferOptions): Promise<Transferred> {
  const { dir, postgres } = options;
  const part = join(dir, PART);
  const tables = await between(
    options,
    async () => new PostgresSide(await openSource(postgres)),
    async () => {
      if (hasStore(dir))
        throw new TorusError(
          "internal",
          `the directory ${dir} holds a database already (${FILE}): name another one, or move it away`,
        );
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      return new SqliteSide(openStore({ dir: part }));
    },
    (source, target) => copyState(source, target, options.onProgress),
  );
  renameSync(join(part, FILE), join(dir, FILE));
  rmSync(part, { recursive: true });
  return { tables };
}

/** Checks the source, opens the target, runs the work in a transaction of each, and commits the target. */
async function between<T>(
  options: TransferOptions,
  openSource: () => Promise<Side>,
  openTarget: () => Promise<Side>,
  work: (source: Side, target: Side) => Promise<T>,
): Promise<T> {
  const source = await openSource();
  try {
    await source.begin();
    await assertTransferable(source, options);
    const target = await openTarget();
    try {
      await target.begin();
      const result = await work(source, target);
      await target.commit();
      return result;
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** @throws TorusError `internal` where points would stay behind, or the given key is another one */
async function assertTransferable(source: Side, { dir, fileKinds, sealing }: TransferOptions): Promise<void> {
  assertKey(await source.readMeta(KEY_ID), dir, sealing);
  const names = await listBuckets(source, fileKinds);
  if (names.length === 0) return;
  const rest = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : "";
  throw new TorusError(
    "internal",
    `the points of the buckets ${names.slice(0, MAX_NAMED).join(", ")}${rest} are files of a data directory, which are not moved: with --without-local the buckets are moved, and find their points where storage.path is still that directory`,
  );
}

async function listBuckets(source: Side, kinds: readonly string[]): Promise<string[]> {
  const { columns } = bucketsTable;
  const names: string[] = [];
  for await (const rows of source.read(bucketsTable))
    for (const row of rows)
      if (kinds.includes(String(row[columns.indexOf("kind")])))
        names.push(String(row[columns.indexOf("name")]));
  return names.sort();
}

function assertKey(
  known: string | undefined,
  dir: string,
  { key: given, file }: TransferOptions["sealing"],
): void {
  const key = given ?? (file === undefined ? undefined : requireKey(file));
  const own = key && keyIdOf(key);
  if (own !== undefined && own === known) return;
  const made = join(dir, KEY_FILE);
  const way = existsSync(made) ? `name its file in storage.key_file (${made})` : "give that key";
  const found = own ? `${given ? "TORUS_KEY" : file} holds another one (${own})` : "no key is given";
  throw new TorusError(
    "internal",
    known === undefined
      ? "the secrets of the state are not sealed yet: start this version of the server on it once, which seals them"
      : `the secrets of the state are sealed with the key ${known}, and ${found}: ${way}`,
  );
}
