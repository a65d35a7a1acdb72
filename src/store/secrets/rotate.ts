// What happens to sealed rows at the start: plain ones are sealed, those of an older key are sealed anew, a wrong key is refused.
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

/** What is sealed, and with what. */
export interface Sealing extends KeyOptions {
  readonly secretsOf: SecretsOf;
  /** Told when secrets that lay open were sealed, with the copies of the database that still show them. */
  readonly onSealed?: (copies: readonly string[]) => void;
}

const KEY_ID = "seal_key";
/** Free pages of the database may still hold what was sealed: it has to be rewritten. */
const SCRUB_DUE = "scrub_due";

interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** SQL of the kind that says which fields are secret. */
  readonly kind: string;
  /** SQL of what names the row. */
  readonly row: readonly string[];
  readonly place: SealedTable;
}

/** As in `placeOfHook`. */
const HOOK_MODEL = "case when is_global then '' else model end";

/** An entry of the outbox holds the configuration of its hook as it is kept there. */
const columns: readonly SealedColumn[] = [
  { table: "buckets", column: "settings", kind: "kind", row: ["name"], place: "buckets" },
  { table: "hooks", column: "config", kind: "kind", row: ["model", "name"], place: "hooks" },
  { table: "global_hooks", column: "config", kind: "kind", row: ["''", "name"], place: "hooks" },
  { table: "outbox", column: "config", kind: "kind", row: [HOOK_MODEL, "hook"], place: "hooks" },
  { table: "scheduled_jobs", column: "definition", kind: "''", row: ["name"], place: "scheduled_jobs" },
];

/**
 * The vault of a database whose every secret is sealed with the key there is.
 * @param dir data directory
 * @throws TorusError `internal` with what to do: the key is missing, or is not the one that was used
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

interface Found {
  /** Id of the key that was used. */
  readonly known: string;
  readonly current: Uint8Array | undefined;
  readonly source: KeySource;
  readonly previousFile: string | undefined;
}

/** The key that was used, where it is given as the previous one. */
function requirePrevious({ known, current, source, previousFile }: Found): Uint8Array {
  const previous = previousFile === undefined ? undefined : requireKey(previousFile);
  if (previous && keyIdOf(previous) === known) return previous;
  const there = current
    ? `${source.name} holds another one (${keyIdOf(current)})`
    : `${source.name} is missing`;
  throw new TorusError(
    "internal",
    `the secrets in the database are sealed with the key ${known}, and ${there}: put that key back, or name its file in storage.previous_key_file`,
  );
}

interface SealRows {
  readonly vault: Vault;
  /** What opens them as they are. */
  readonly from: Vault;
  readonly keyId: string;
  /** Everything is sealed anew, not only what lies open. */
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

function readRows(sqlite: Database, { table, column, kind, row, place }: SealedColumn): SealedRow[] {
  const names = row.map((name, i) => `${name} as row${i}`).join(", ");
  const sql = `select rowid as id, ${kind} as kind, ${column} as text, ${names} from ${table} where ${column} <> '{}'`;
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

/** Leaves nothing of the past in the files: free pages and the log are written over. */
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
