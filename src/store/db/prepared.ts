// Statements that are asked all the time, built and compiled once per database.
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";

type Build<S> = (db: BunSQLiteDatabase) => S;

const statements = new WeakMap<BunSQLiteDatabase, Map<Build<unknown>, unknown>>();

/**
 * The statement that `build` makes, made once: building one costs ten times what running it does.
 * @param build a function that lives as long as the program; its identity is the key
 */
export function prepared<S>(db: BunSQLiteDatabase, build: Build<S>): S {
  let known = statements.get(db);
  if (!known) {
    known = new Map();
    statements.set(db, known);
  }
  if (!known.has(build)) known.set(build, build(db));
  return known.get(build) as S;
}
