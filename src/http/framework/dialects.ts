// Dialects of paths, known before a route is matched: refusals and unknown methods are answered in them, too.
import type { Dialect } from "./dialect.ts";
import { jsonDialect } from "./json-dialect.ts";

declare module "elysia/types" {
  interface DocumentDecoration {
    /** Absent: that of our own routes. */
    dialect?: Dialect;
  }
}

/** Route with the dialect that it states. */
interface StatedRoute {
  readonly path: string;
  readonly hooks: { readonly detail?: { readonly dialect?: Dialect } };
}

/** Finds the dialect of a path without the query. */
export type FindDialect = (path: string) => Dialect;

/** @param routes those with parameters in the path state a dialect with a folder */
export function createDialectTable(routes: readonly StatedRoute[]): FindDialect {
  const exact = new Map<string, Dialect>();
  const folders = new Map<string, Dialect>();
  for (const { path, hooks } of routes) {
    const dialect = hooks.detail?.dialect;
    if (dialect?.folder !== undefined) folders.set(dialect.folder, dialect);
    else if (dialect) exact.set(path, dialect).set(`${path}/`, dialect);
  }
  const starts = [...folders];
  return (path) => exact.get(path) ?? starts.find(([folder]) => path.startsWith(folder))?.[1] ?? jsonDialect;
}
