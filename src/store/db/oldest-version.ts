// Oldest version that can use a schema: a row of `meta` that contracting migrations write.
import type { Database } from "bun:sqlite";
import pack from "../../../package.json" with { type: "json" };
import { TorusError } from "../../core/errors.ts";

/** Key of the row; without it, every version that asks for it can use the schema. */
export const OLDEST_VERSION = "oldest_version";

/** Whether `version` can use a schema whose oldest version is `oldest`; both as in package.json. */
export function canUse(oldest: string | undefined, version: string = pack.version): boolean {
  return oldest === undefined || Bun.semver.order(version, oldest) >= 0;
}

/**
 * Checks that this version can use a schema that a newer one has migrated.
 * @param database how the message names it
 * @throws TorusError `internal` with the version to start
 */
export function assertUsable(database: string, oldest: string | undefined): void {
  if (canUse(oldest)) return;
  throw new TorusError(
    "internal",
    `${database} was written by a newer version of the server, and version ${pack.version} cannot use it: start version ${oldest} or newer, or restore a copy`,
  );
}

/** The row of a database in a file. */
export function readOldestVersion(sqlite: Database): string | undefined {
  const row = sqlite.query("select value from meta where key = ?").get(OLDEST_VERSION);
  return (row as { value: string } | null)?.value;
}

/** The refusal of a command that uses databases of its own version alone. @param schema what tells the version */
export function otherVersion(database: string, isNewer: boolean, schema?: string): TorusError {
  const of = schema ? `the server (${schema})` : "the server";
  return new TorusError(
    "internal",
    isNewer
      ? `${database} was written by a newer version of ${of}: use that version`
      : `${database} is of an older version of ${of}: start this version on it once, which upgrades it`,
  );
}
