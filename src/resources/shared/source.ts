// Source of values in a request: as a feature of a model, a metric over a field, or a query.
import { type Static, Type } from "@sinclair/typebox";
import { invalid } from "../../core/errors.ts";
import { Feature } from "../../core/model/feature.ts";

export const ValueSource = Type.Pick(Feature, ["metric", "field", "measurement", "query", "match_all"], {
  additionalProperties: false,
  rule: "must be an object with metric and field, or with query",
  description: "As a feature of a model: `metric` and `field`, or `query`",
});
export type ValueSource = Static<typeof ValueSource>;

/** @param source at the key `feature`. @throws TorusError `invalid` where it has neither a query nor metric and field */
export function requireSource(source: ValueSource): void {
  for (const key of ["metric", "field"] as const)
    if (!source.query && source[key] === undefined)
      throw invalid(`feature.${key}`, "is required, or query in place of metric and field");
}
