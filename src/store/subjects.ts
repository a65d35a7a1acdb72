// SQL of what is kept of live models and their series: the key of each, its tags, and filters.
import { and, type Column, eq, gte, inArray, isNotNull, or, type SQL } from "drizzle-orm";
import { live, liveSeries } from "./db/schema.ts";
import { hasTags } from "./fleets/series-tags.ts";

/** Key of what is no series: the model itself. */
export const MODEL_KEY = "";

/** Columns of such a table. */
interface SubjectTable {
  readonly model: Column;
  readonly series: Column;
  readonly madeAt: Column;
}

export interface SubjectQuery {
  /** Only those made since, ms since the epoch. */
  readonly madeAt: number;
  readonly models?: readonly string[];
  /** Only those of series with all of these tags. */
  readonly series?: Readonly<Record<string, string>>;
}

/** Joins `live`: only of live models. */
export const ofLive = ({ model }: SubjectTable) => eq(live.model, model);

/** Joins `liveSeries`, which has the tags; a model has none. */
export const ofSeries = ({ model, series }: SubjectTable) =>
  and(eq(liveSeries.model, model), eq(liveSeries.key, series));

/** Rows of the two joins that match. */
export function matchesSubject(
  table: SubjectTable,
  { madeAt, models, series }: SubjectQuery,
): SQL | undefined {
  return and(
    gte(table.madeAt, madeAt),
    // A series that is gone has no tags any more.
    or(eq(table.series, MODEL_KEY), isNotNull(liveSeries.key)),
    models && inArray(table.model, [...models]),
    series && hasTags(liveSeries.tags, series),
  );
}
