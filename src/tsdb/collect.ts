// Collector: the values of points in columns, by the ids of their fields.
import type { Point } from "../core/series/query.ts";
import type { Catalog, Series } from "./catalog.ts";
import { PointBatch, type PointColumns } from "./head/batch.ts";
import type { Target } from "./target.ts";

export interface Collector {
  readonly points: PointColumns;
  /** Values left out, as their series is new and there are too many. */
  readonly refused: number;
  add(point: Point): void;
}

/** Starts a collection of the points of one measurement. @param expected number of points */
export function createCollector(
  catalog: Catalog,
  { measurement, maxSeries = Infinity }: Pick<Target, "measurement" | "maxSeries">,
  expected: number,
): Collector {
  const points = new PointBatch(expected);
  let refused = 0;

  return {
    points,
    get refused() {
      return refused;
    },
    add({ at, fields, tags, special }) {
      // A series exists once it has a value.
      let series: Series | undefined;
      for (const field in fields) {
        const value = fields[field]!;
        if (value === null || (typeof value === "number" && !Number.isFinite(value) && !special)) continue;
        series ??= catalog.findSeries(measurement, tags, maxSeries);
        const id = series && catalog.findField(series, field, maxSeries);
        if (id === undefined) refused++;
        else if (special === "stale") points.addStale(id, at);
        else points.add(id, at, value);
      }
    },
  };
}
