// Change of the sealing key of a database that no server uses: every secret is resealed in one transaction.
import { TorusError } from "../../core/errors.ts";
import { columns, KEY_ID, type SealedColumn } from "../secrets/rotate.ts";
import { createVault, keyIdOf, type SecretsOf, type Vault } from "../secrets/seal.ts";
import type { Connection } from "./connection.ts";
import { type ExclusiveOptions, openSource } from "./exclusive.ts";

/** Rows of one statement. */
const MAX_ROWS = 1000;

export interface ResealOptions {
  readonly postgres: ExclusiveOptions;
  /** The new key. */
  readonly key: Uint8Array;
  readonly previous: Uint8Array;
  readonly secretsOf: SecretsOf;
}

interface Resealed {
  /** Id of the key that the secrets are sealed with now. */
  readonly keyId: string;
  /** Rows with secrets. */
  readonly rows: number;
}

/**
 * Seals all secrets with the new key.
 * @throws TorusError `internal` with the steps to take: in use, of another version, the previous key is another one;
 * nothing has changed then
 */
export async function resealPostgres({
  postgres,
  key,
  previous,
  secretsOf,
}: ResealOptions): Promise<Resealed> {
  const connection = await openSource(postgres);
  try {
    await connection.run("begin isolation level serializable");
    const keyId = keyIdOf(key);
    await assertPrevious(connection, { keyId, previousId: keyIdOf(previous) });
    const vaults = { from: createVault(previous, secretsOf), to: createVault(key, secretsOf) };
    let rows = 0;
    for (const column of columns) rows += await resealColumn(connection, column, vaults);
    await connection.query("update meta set value = ? where key = ?", [keyId, KEY_ID]);
    await connection.run("commit");
    return { keyId, rows };
  } finally {
    // What is not committed is undone by the end of the session.
    await connection.close();
  }
}

interface KeyIds {
  readonly keyId: string;
  readonly previousId: string;
}

async function assertPrevious(connection: Connection, { keyId, previousId }: KeyIds): Promise<void> {
  const [row] = await connection.query("select value from meta where key = ?", [KEY_ID]);
  const known = row?.[0];
  if (known === previousId && keyId !== previousId) return;
  throw new TorusError(
    "internal",
    known === keyId
      ? `the secrets in the database are sealed with the new key (${keyId}) already: nothing was changed`
      : `the secrets in the database are sealed with the key ${known}, and storage.previous_key_file holds another one (${previousId}): nothing was changed; name the file of that key`,
  );
}

interface Vaults {
  readonly from: Vault;
  readonly to: Vault;
}

/** @returns the number of rows that changed */
async function resealColumn(
  connection: Connection,
  { table, column, kind, row, place, where = "true" }: SealedColumn,
  { from, to }: Vaults,
): Promise<number> {
  const selected = [`ctid::text`, kind, column, ...row].join(", ");
  const found = await connection.query(
    `select ${selected} from ${table} where ${column} <> '{}' and ${where}`,
  );
  const changed: string[] = [];
  for (const [id, name, text, ...names] of found as string[][]) {
    const at = { table: place, row: names };
    const fields = JSON.parse(text!) as Record<string, unknown>;
    const sealed = to.seal(at, from.open(at, fields), name);
    if (sealed !== fields) changed.push(id!, JSON.stringify(sealed));
  }
  for (let start = 0; start < changed.length; start += 2 * MAX_ROWS) {
    const part = changed.slice(start, start + 2 * MAX_ROWS);
    const values = Array.from({ length: part.length / 2 }, () => "(?::text, ?::text)").join(", ");
    await connection.query(
      `update ${table} set ${column} = v.text from (values ${values}) as v (id, text) where ${table}.ctid = v.id::tid`,
      part,
    );
  }
  return changed.length / 2;
}
