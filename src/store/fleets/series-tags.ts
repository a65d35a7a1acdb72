// Conditions on columns of tags, and of keys made of their values. By `json_each`: a tag with quotes in its name cannot be written as a path.
import { and, type Column, isNull, type SQL, sql } from "drizzle-orm";

type Tags = Readonly<Record<string, string>>;

/** Condition: the column has all of these tags. */
export function hasTags(column: Column, tags: Tags): SQL | undefined {
  const conditions = Object.entries(tags).map(
    ([tag, value]) =>
      sql`(select count(*) from json_each(${column}) as own where own.key = ${tag} and own.value = ${value}) > 0`,
  );
  return and(...conditions);
}

/** Condition: the row is of the series; without one, of the model itself. */
export function isOfSeries(column: Column, tags: Tags | undefined): SQL | undefined {
  return tags ? hasTags(column, tags) : isNull(column);
}

/** Condition: the row concerns the series, since each of its tags is one of the series; null concerns all. */
export function concerns(column: Column, tags: Tags): SQL {
  return sql`(select count(*) from json_each(${column}) as own left join json_each(${JSON.stringify(tags)}) as wanted on wanted.key = own.key and wanted.value = own.value where wanted.key is null) = 0`;
}

/** Characters that a key has between its values, or escapes in them. */
const KEY_SYNTAX = /["\\,[\]\p{Cc}]/u;

/** Condition: a value in the key of a series holds the text; letters of ASCII in either case. */
export function holdsText(key: Column, q: string): SQL {
  // An `exists` would be joined in the wrong order by SQLite, and find nothing.
  const inValues = sql`(select count(*) from json_each(${key}) where instr(lower(value), lower(${q})) > 0) > 0`;
  const inKey = sql`instr(lower(${key}), lower(${q})) > 0`;
  return KEY_SYNTAX.test(q) ? inValues : inKey;
}
