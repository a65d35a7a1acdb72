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
import { TorusError } from "../../core/errors.ts";
import type { Connection } from "./connection.ts";

/** Imported one by one, because a compiled binary has no folder to read. A new migration adds its line. */
const migrations: readonly (readonly [name: string, text: string])[] = [
  ["0000_initial", initial],
  ["0001_calendars", calendars],
  ["0002_cluster", cluster],
  ["0003_bin", bin],
  ["0004_deviations", deviations],
  ["0005_recorded_changes", recordedChanges],
  ["0006_outlooks", outlooks],
  ["0007_budgets", budgets],
];

/** Name of the newest migration that this program knows. */
export const newestMigration = migrations.at(-1)![0];

/**
 * Brings the schema of the connection up to date.
 * @throws TorusError `internal` for a database of a newer version, or one whose migrations differ
 */
export async function migrate(connection: Connection): Promise<void> {
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
  for (const [i, [name, hash]] of applied.entries()) {
    const [known, text] = migrations[i] ?? [];
    if (known === name && hashOf(text!) === hash) continue;
    throw new TorusError(
      "internal",
      `the database was written by another version of the server (migration ${name}): start that version, or a newer one`,
    );
  }
  for (const [name, text] of migrations.slice(applied.length)) {
    await connection.run(text);
    await connection.query("insert into torus_migrations (name, hash) values (?, ?)", [name, hashOf(text)]);
  }
  await connection.run("commit");
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
