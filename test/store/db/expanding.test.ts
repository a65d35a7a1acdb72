// Every migration since the state can be shared only adds to the schema, or names the oldest version that can use it.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findContractions } from "./expanding.ts";

const folder = join(import.meta.dir, "../../../drizzle");
/** The last of SQLite that changed what was there; the first version of PostgreSQL is its start. */
const lastContracting = { "": "0018_evaluation_ring.sql", postgres: "0000_initial.sql" };
/** Contractions that no running server of an earlier version can meet. */
const excepted: Readonly<Record<string, string>> = {
  "0002_cluster.sql": "the row is of versions of which one server had the database to itself",
};

for (const [dialect, last] of Object.entries(lastContracting)) {
  const files = readdirSync(join(folder, dialect)).filter((name) => name.endsWith(".sql") && name > last);
  test.each(files.filter((name) => !excepted[name]))(`drizzle/${dialect} %s expands the schema`, (name) => {
    expect(findContractions(readFileSync(join(folder, dialect, name), "utf8"))).toEqual([]);
  });
}

test("exceptions are of migrations that need them", () => {
  for (const name of Object.keys(excepted))
    expect(findContractions(readFileSync(join(folder, "postgres", name), "utf8"))).toHaveLength(1);
});

test.each([
  ["DROP TABLE `jobs`;", "it changes"],
  ['ALTER TABLE "jobs" DROP COLUMN "input";', "it changes"],
  ["ALTER TABLE `jobs` RENAME COLUMN `input` TO `given`;", "it changes"],
  ['ALTER TABLE "jobs" ALTER COLUMN "input" TYPE bigint;', "it changes"],
  ["UPDATE `live` SET `rev` = 1;", "it changes"],
  ["ALTER TABLE `jobs` ADD `place` text NOT NULL;", "a new column needs a value"],
  ['CREATE UNIQUE INDEX "one" ON "jobs" ("type");', "a unique index"],
  ['CREATE TABLE "notes" ("model" text, FOREIGN KEY ("model") REFERENCES "models" ("name"));', "a reference"],
  ["INSERT INTO `models` (`name`) VALUES ('m');", "it changes"],
])("refused: %s", (text, reason) => {
  expect(findContractions(text)).toEqual([expect.stringContaining(reason)]);
});

test("a migration that names the oldest version may contract", () => {
  const floor = "insert into meta (key, value) values ('oldest_version', '2.2.0')";
  expect(
    findContractions(`${floor} on conflict (key) do update set value = '2.2.0';\nDROP TABLE \`jobs\`;`),
  ).toEqual([]);
});
