// The migrations built into the program are exactly those of the folder.
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { migrations } from "../../src/store/migrations.ts";

const folder = join(import.meta.dir, "../../drizzle");

test("every migration of the folder is imported, in order and to the letter", () => {
  expect(migrations).toEqual(readMigrationFiles({ migrationsFolder: folder }));
});

test("every SQL file is in the journal", () => {
  expect(readdirSync(folder).filter((name) => name.endsWith(".sql"))).toHaveLength(migrations.length);
});
