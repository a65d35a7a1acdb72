// Prepared statements of frequent queries: built and compiled once per database.
import type { Db } from "./database.ts";

type Build<S> = (db: Db) => S;

const statements = new WeakMap<Db, Map<Build<unknown>, unknown>>();

/** Prepares a statement at its first use. @param build its identity is the key: a function at the top of a module */
export function prepareOnce<S>(db: Db, build: Build<S>): S {
  let known = statements.get(db);
  if (!known) {
    known = new Map();
    statements.set(db, known);
  }
  if (!known.has(build)) known.set(build, build(db));
  return known.get(build) as S;
}
