// Vault of a database that several machines may open in turn: its key is given, and compared with the one it was made with.
import { TorusError } from "../../core/errors.ts";
import { KEY_ID, type Sealing } from "../secrets/rotate.ts";
import { createVault, keyIdOf, type Vault } from "../secrets/seal.ts";
import { requireKey } from "../secrets/seal-key.ts";
import type { Connection } from "./connection.ts";

/**
 * Opens the vault; a new database takes the key.
 * @throws TorusError `internal` with the steps to take: the key is missing, or is another one
 */
export async function openSharedVault(
  connection: Connection,
  { key: given, file, secretsOf }: Sealing,
): Promise<Vault> {
  const key = given ?? (file === undefined ? undefined : requireKey(file));
  if (!key)
    throw new TorusError(
      "internal",
      "storage.url needs a key: set TORUS_KEY, or name a file in storage.key_file",
    );
  const own = keyIdOf(key);
  await connection.query("insert into meta (key, value) values (?, ?) on conflict (key) do nothing", [
    KEY_ID,
    own,
  ]);
  const [row] = await connection.query("select value from meta where key = ?", [KEY_ID]);
  if (row?.[0] === own) return createVault(key, secretsOf);
  const source = given ? "TORUS_KEY" : file;
  throw new TorusError(
    "internal",
    `the secrets in the database are sealed with the key ${row?.[0]}, and ${source} holds another one (${own}): put that key back, or change the key with torus reseal`,
  );
}
