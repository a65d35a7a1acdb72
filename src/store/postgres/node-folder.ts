// Data directory of a node: locked by one process, with an id by which a node that starts again succeeds itself.
import { Database } from "bun:sqlite";
import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { TorusError } from "../../core/errors.ts";

const FILE = "node.db";
const FILE_MODE = 0o600;

interface NodeFolder {
  /** UUID, made once. */
  readonly id: string;
  release(): void;
}

/**
 * Locks the directory, created (0700) where it does not exist. The lock ends with the process.
 * @throws TorusError `internal` with the steps to take: in use, or not writable
 */
export function lockFolder(dir: string): NodeFolder {
  let file: Database | undefined;
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const path = join(dir, FILE);
    const isNew = !existsSync(path);
    file = new Database(path, { create: true, strict: true });
    if (isNew) chmodSync(path, FILE_MODE);
    file.run("PRAGMA busy_timeout = 0");
    file.run("PRAGMA locking_mode = EXCLUSIVE");
    file.run("BEGIN IMMEDIATE");
    file.run("create table if not exists node (id text not null)");
    file.run("insert into node select ? where not exists (select 1 from node)", [crypto.randomUUID()]);
    file.run("COMMIT");
    const { id } = file.query<{ id: string }, []>("select id from node").get()!;
    return { id, release: () => file!.close(true) };
  } catch (error) {
    file?.close();
    throw new TorusError("internal", explain(dir, error as Error & { code?: string }));
  }
}

function explain(dir: string, { code, message }: Error & { readonly code?: string }): string {
  if (code?.startsWith("SQLITE_BUSY"))
    return `the data directory ${dir} is in use by another server: stop it, or give this one another data directory`;
  return `cannot use the data directory ${dir}: ${message}`;
}
