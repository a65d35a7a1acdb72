// Migrations of the database on PostgreSQL, bundled with the program; all that are missing are applied in one transaction.
import { createHash } from "node:crypto";
import initial from "../../../drizzle/postgres/0000_initial.sql" with { type: "text" };
import calendars from "../../../drizzle/postgres/0001_calendars.sql" with { type: "text" };
import cluster from "../../../drizzle/postgres/0002_cluster.sql" with { type: "text" };
import bin from "../../../drizzle/postgres/0003_bin.sql" with { type: "text" };
import deviations from "../../../drizzle/postgres/0004_deviations.sql" with { type: "text" };
import recordedChanges from "../../../drizzle/postgres/0005_recorded_changes.sql" with { type: "text" };
import outlooks from "../../../drizzle/postgres/0006_outlooks.sql" with { type: "text" };
import budgets from "../../../drizzle/postgres/0007_budgets.sql" with { type: "text" };
import errorCodes from "../../../drizzle/postgres/0008_error_codes.sql" with { type: "text" };
import calendarCodes from "../../../drizzle/postgres/0009_calendar_codes.sql" with { type: "text" };
import { TorusError } from "../../core/errors.ts";
import { assertUsable, canUse, OLDEST_VERSION } from "../db/oldest-version.ts";
import type { Connection } from "./connection.ts";

type Migration = readonly [name: string, text: string];

/** Imported one by one, because a compiled binary has no folder to read. A new migration adds its line. */
export const migrations: readonly Migration[] = [
  ["0000_initial", initial],
  ["0001_calendars", calendars],
  ["0002_cluster", cluster],
  ["0003_bin", bin],
  ["0004_deviations", deviations],
  ["0005_recorded_changes", recordedChanges],
  ["0006_outlooks", outlooks],
  ["0007_budgets", budgets],
  ["0008_error_codes", errorCodes],
  ["0009_calendar_codes", calendarCodes],
];

/** Name of the newest migration that this program knows. */
export const newestMigration = migrations.at(-1)![0];

/**
 * Brings the schema of the connection up to date; one that a newer version has only added to is used as it is.
 * @throws TorusError `internal` where migrations differ, this version is too old for the schema, or a running node is
 * too old for the migrations
 */
export async function migrate(
  connection: Connection,
  list: readonly Migration[] = migrations,
): Promise<void> {
  await connection.run("begin");
  // Servers that start at the same time wait for one another.
  await connection.query("select pg_advisory_xact_lock(hashtext('torus migrations'))");
  await connection.run(
    "create table if not exists torus_migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())",
  );
  const applied = (await connection.query("select name, hash from torus_migrations order by name")) as [
    string,
    string,
  ][];
  assertKnown(applied.slice(0, list.length), list);
  const missing = list.slice(applied.length);
  for (const [name, text] of missing) {
    await connection.run(text);
    await connection.query("insert into torus_migrations (name, hash) values (?, ?)", [name, hashOf(text)]);
  }
  const oldest = await readOldestVersion(connection);
  assertUsable("the database of storage.url", oldest);
  if (missing.length > 0) await assertNodes(connection, oldest);
  await connection.run("commit");
}

/** @throws TorusError `internal` naming the first applied migration that differs */
function assertKnown(applied: readonly (readonly [string, string])[], list: readonly Migration[]): void {
  for (const [i, [name, hash]] of applied.entries()) {
    const [known, text] = list[i]!;
    if (known === name && hashOf(text) === hash) continue;
    throw new TorusError(
      "internal",
      `the database was written by another version of the server (migration ${name}): start that version, or a newer one`,
    );
  }
}

async function readOldestVersion(connection: Connection): Promise<string | undefined> {
  const [row] = await connection.query("select value from meta where key = ?", [OLDEST_VERSION]);
  return row?.[0] as string | undefined;
}

/** @throws TorusError `internal` naming the nodes with a lease that could not use the schema any more */
async function assertNodes(connection: Connection, oldest: string | undefined): Promise<void> {
  const nodes = (await connection.query(
    "select name, version from nodes where lease_until > clock_timestamp() order by name",
  )) as [string, string][];
  const names = nodes.flatMap(([name, version]) => (canUse(oldest, version) ? [] : [`${name} (${version})`]));
  if (names.length === 0) return;
  throw new TorusError(
    "internal",
    `the migration of the database needs version ${oldest} on every node, and ${names.join(", ")} would fail: upgrade or stop them first`,
  );
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
