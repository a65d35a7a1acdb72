// Series keys: from tags, or from the columns that the setting `series_by` names.
import { Type } from "@sinclair/typebox";
import { invalid } from "../../core/errors.ts";

/** Setting of kinds that cannot tell tags from fields. @param what noun of the description, as in `Columns` */
export const seriesBySetting = (what: string) =>
  Type.Optional(
    Type.Array(
      Type.String({ pattern: "^[^\\u0000]{1,256}$", rule: "must be a name of 1 to 256 characters" }),
      {
        maxItems: 32,
        uniqueItems: true,
        description:
          `${what} whose values identify a series, for \`rate\` and \`derivative\`, which are computed per series and ` +
          "summed; absent: all points of a measurement are one series",
        rule: "must be a list of at most 32 different names",
        examples: [["host"]],
      },
    ),
  );

/** @throws TorusError `invalid` for a column of `series_by` that does not exist */
export function assertColumns(seriesBy: readonly string[], columns: ReadonlyMap<string, unknown>): void {
  const missing = seriesBy.find((name) => !columns.has(name));
  if (missing !== undefined)
    throw invalid("series_by", `names ${JSON.stringify(missing.slice(0, 64))}, which is no column here`);
}

/** Series key of tags, independent of their order; tags without a value are ignored. */
export function seriesKeyOfTags(tags: readonly (readonly [tag: string, value: unknown])[]): string {
  const given = tags.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return JSON.stringify(given.map(([tag, value]) => [tag, String(value)]).sort());
}

/** Series key of the values of `series_by`, in their fixed order. */
export function seriesKeyOfRow(values: readonly unknown[]): string {
  return JSON.stringify(values);
}
