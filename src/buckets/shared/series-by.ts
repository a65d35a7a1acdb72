// What tells one series from another: the tags a store knows, or what the settings of a bucket name in their place.
import { Type } from "@sinclair/typebox";
import { invalid } from "../../core/errors.ts";

/** For kinds whose columns, or fields of documents, may be tags or not. @param what they are, as in `Columns` */
export const seriesBySetting = (what: string) =>
  Type.Optional(
    Type.Array(
      Type.String({ pattern: "^[^\\u0000]{1,256}$", rule: "must be a name of 1 to 256 characters" }),
      {
        maxItems: 32,
        uniqueItems: true,
        description:
          `${what} whose values tell one series from another, for \`rate\` and \`derivative\`: these are computed of each ` +
          "series and added up; absent: all points are one series, but those of another measurement another",
        rule: "must be a list of at most 32 different names",
        examples: [["host"]],
      },
    ),
  );

/** For kinds that know their columns. @throws TorusError `invalid` where one of those named is missing */
export function expectColumns(seriesBy: readonly string[], columns: ReadonlyMap<string, unknown>): void {
  const missing = seriesBy.find((name) => !columns.has(name));
  if (missing !== undefined)
    throw invalid("series_by", `names ${JSON.stringify(missing.slice(0, 64))}, which is no column here`);
}

/** One text for the same tags in any order; a tag without a value is none. */
export function nameSeries(tags: readonly (readonly [tag: string, value: unknown])[]): string {
  const given = tags.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return JSON.stringify(given.map(([tag, value]) => [tag, String(value)]).sort());
}

/** One text for the same values of `series_by`, which always come in one order; cheap, for it is asked of every row. */
export function nameRow(values: readonly unknown[]): string {
  return JSON.stringify(values);
}
