// Statements of the dialect of SQLite in that of PostgreSQL.
import { expect, test } from "bun:test";
import { translate } from "../../../src/store/postgres/connection.ts";

test.each([
  ["select 1", "select 1"],
  ["select ? where x = ?", "select $1 where x = $2"],
  ["select '?', '''?', \"a?\" where x = ?", "select '?', '''?', \"a?\" where x = $1"],
  [
    'insert into "hooks" ("model") values (?) on conflict ("hooks"."model", "hooks"."name") do update set "kind" = ?',
    'insert into "hooks" ("model") values ($1) on conflict ("model", "name") do update set "kind" = $2',
  ],
])("%s", (text, expected) => {
  expect(translate(text)).toBe(expected);
  // From memory, too.
  expect(translate(text)).toBe(expected);
});
