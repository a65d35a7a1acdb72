// Key rotation at the start: seals plain rows, reseals rows of the previous key, refuses a wrong key.
import type { Database } from "bun:sqlite";
import { readdirSync } from "node:fs";
import { TorusError } from "../../core/errors.ts";
import {
  createVault,
  isEnvelope,
  keyIdOf,
  type Place,
  plainVault,
  type SealedTable,
  type SecretsOf,
  type Vault,
} from "./seal.ts";
import { chooseKeySource, type KeyOptions, type KeySource, requireKey } from "./seal-key.ts";

/** Which fields are sealed, with which key. */
export interface Sealing extends KeyOptions {
  readonly secretsOf: SecretsOf;
  /** Called after plain secrets were sealed, with the copies of the database that still hold them. */
  readonly onSealed?: (copies: readonly string[]) => void;
}

/** Row of `meta`: the key that secrets are sealed with. */
export const KEY_ID = "seal_key";
/** Set while free pages may hold plain secrets: the database has to be rewritten. */
const SCRUB_DUE = "scrub_due";

export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** SQL of the kind, which determines the secret fields. */
  readonly kind: string;
  /** SQL of the names of the row. */
  readonly row: readonly string[];
  readonly place: SealedTable;
  /** SQL condition of the rows; absent: all. */
  readonly where?: string;
}

/** As in `placeOfHook`. */
const HOOK_MODEL = "case when is_global = 1 then '' else model end";

/** Columns of resources, whose rows may be in the bin. */
const ofResources: readonly SealedColumn[] = [
  { table: "buckets", column: "settings", kind: "kind", row: ["name"], place: "buckets" },
  { table: "calendars", column: "settings", kind: "''", row: ["name"], place: "calendars" },
  { table: "hooks", column: "config", kind: "kind", row: ["model", "name"], place: "hooks" },
  { table: "global_hooks", column: "config", kind: "kind", row: ["''", "name"], place: "hooks" },
  { table: "scheduled_jobs", column: "definition", kind: "''", row: ["name"], place: "scheduled_jobs" },
];

/** As the column, of deleted resources. */
function inBin({ table, kind, row, place }: SealedColumn): SealedColumn {
  const inContent = (sql: string) => (sql.startsWith("'") ? sql : `json_extract(content, '$.${sql}')`);
  return {
    table: "bin_rows",
    column: "sealed",
    kind: inContent(kind),
    row: row.map(inContent),
    place,
    where: `source = '${table}'`,
  };
}

/** A row of the outbox holds a copy of the sealed configuration of its hook. */
export const columns: readonly SealedColumn[] = [
  ...ofResources,
  { table: "outbox", column: "config", kind: "kind", row: [HOOK_MODEL, "hook"], place: "hooks" },
  ...ofResources.map(inBin),
];

/**
 * Opens the vault of a database and seals every secret with the current key.
 * @param dir data directory
 * @throws TorusError `internal` with the steps to take: the key is missing, or is another one
 */
export function openVault(sqlite: Database, dir: string, sealing: Sealing): Vault {
  const { secretsOf, previousFile } = sealing;
  const known = readMeta(sqlite, KEY_ID);
  const source = chooseKeySource(dir, sealing);
  const current = source.find();
  const isCurrent = current !== undefined && keyIdOf(current) === known;
  const before =
    isCurrent || known === undefined || !holdsSealed(sqlite)
      ? undefined
      : requirePrevious({ known, current, source, previousFile });
  const key = current ?? requireNew(source);
  const vault = createVault(key, secretsOf);
  const from = before ? createVault(before, secretsOf) : known === undefined ? plainVault : vault;
  const changed = sealRows(sqlite, { vault, from, keyId: keyIdOf(key), isNew: !isCurrent });
  if (readMeta(sqlite, SCRUB_DUE) !== undefined) scrub(sqlite);
  if (changed && !before) sealing.onSealed?.(readdirSync(dir).filter((name) => name.includes(".db.before-")));
  return vault;
}

function requireNew({ name, create }: KeySource): Uint8Array {
  if (create) return create();
  throw new TorusError("internal", `there is no key in ${name}`);
}

interface KeySearch {
  /** Id of the key in use. */
  readonly known: string;
  readonly current: Uint8Array | undefined;
  readonly source: KeySource;
  readonly previousFile: string | undefined;
}

/** The key in use, given as the previous one. @throws TorusError `internal` where it is not */
function requirePrevious({ known, current, source, previousFile }: KeySearch): Uint8Array {
  const previous = previousFile === undefined ? undefined : requireKey(previousFile);
  if (previous && keyIdOf(previous) === known) return previous;
  const found = current
    ? `${source.name} holds another one (${keyIdOf(current)})`
    : `${source.name} is missing`;
  throw new TorusError(
    "internal",
    `the secrets in the database are sealed with the key ${known}, and ${found}: put that key back, or name its file in storage.previous_key_file`,
  );
}

interface SealRows {
  readonly vault: Vault;
  /** Opens the rows. */
  readonly from: Vault;
  readonly keyId: string;
  /** Whether to reseal all secrets, not only plain ones. */
  readonly isNew: boolean;
}

/** In one transaction: all rows have the new key, or none. @returns whether any row changed */
function sealRows(sqlite: Database, { vault, from, keyId, isNew }: SealRows): boolean {
  const seal = sqlite.transaction(() => {
    let changed = false;
    for (const entry of columns) {
      for (const { id, kind, fields, place } of readRows(sqlite, entry)) {
        if (!isNew && vault.isSealed(place, fields, kind)) continue;
        const sealed = vault.seal(place, from.open(place, fields), kind);
        if (sealed === fields) continue;
        const text = JSON.stringify(sealed);
        sqlite.query(`update ${entry.table} set ${entry.column} = ? where rowid = ?`).run(text, id);
        changed = true;
      }
    }
    if (isNew) writeMeta(sqlite, KEY_ID, keyId);
    if (changed) writeMeta(sqlite, SCRUB_DUE, "1");
    return changed;
  });
  return seal.immediate();
}

interface SealedRow {
  readonly id: number;
  readonly kind: string;
  readonly fields: Record<string, unknown>;
  readonly place: Place;
}

function readRows(
  sqlite: Database,
  { table, column, kind, row, place, where = "true" }: SealedColumn,
): SealedRow[] {
  const names = row.map((name, i) => `${name} as row${i}`).join(", ");
  const sql = `select rowid as id, ${kind} as kind, ${column} as text, ${names} from ${table} where ${column} <> '{}' and ${where}`;
  const rows = sqlite.query(sql).all() as ({ id: number; kind: string; text: string } & Record<
    string,
    string
  >)[];
  return rows.map((found) => ({
    id: found.id,
    kind: found.kind,
    fields: JSON.parse(found.text) as Record<string, unknown>,
    place: { table: place, row: row.map((_, i) => found[`row${i}`]!) },
  }));
}

function holdsSealed(sqlite: Database): boolean {
  return columns.some((entry) =>
    readRows(sqlite, entry).some(({ fields }) => Object.values(fields).some(isEnvelope)),
  );
}

/** Overwrites free pages and the log. */
function scrub(sqlite: Database): void {
  sqlite.run("VACUUM");
  sqlite.run("PRAGMA wal_checkpoint(TRUNCATE)");
  sqlite.query("delete from meta where key = ?").run(SCRUB_DUE);
}

function readMeta(sqlite: Database, key: string): string | undefined {
  const row = sqlite.query("select value from meta where key = ?").get(key) as { value: string } | null;
  return row?.value;
}

function writeMeta(sqlite: Database, key: string, value: string): void {
  sqlite
    .query("insert into meta values (?, ?) on conflict (key) do update set value = excluded.value")
    .run(key, value);
}
