// Groups the points of one write per field of a series: sorted by time, one value per instant.
import type { FieldValue, Point } from "../core/series/query.ts";
import type { FieldPoints } from "./block.ts";
import type { Catalog, Series } from "./catalog.ts";
import { putNaN } from "./special/values.ts";
import type { Target } from "./target.ts";

export interface PointGroups {
  /** Values left out, as their series is new and there are too many. */
  readonly refused: number;
  add(point: Point): void;
  /** The values by id of the field. */
  fields(): Iterable<[fieldId: number, points: FieldPoints]>;
}

const STALE = Symbol("stale marker");

interface Batch {
  readonly times: number[];
  readonly values: (Exclude<FieldValue, null> | typeof STALE)[];
}

/** Starts groups for the points of one measurement. */
export function createPointGroups(
  catalog: Catalog,
  { measurement, maxSeries = Infinity }: Pick<Target, "measurement" | "maxSeries">,
): PointGroups {
  const batches = new Map<number, Batch>();
  // Points of one series that were parsed together share the tags object.
  const seriesByTags = new Map<Point["tags"], Series | undefined>();
  let refused = 0;

  function findBatch(fieldId: number): Batch {
    const known = batches.get(fieldId);
    if (known) return known;
    const batch = { times: [], values: [] };
    batches.set(fieldId, batch);
    return batch;
  }

  function findSeries(tags: Point["tags"]): Series | undefined {
    if (seriesByTags.has(tags)) return seriesByTags.get(tags);
    const series = catalog.findSeries(measurement, tags, maxSeries);
    seriesByTags.set(tags, series);
    return series;
  }

  return {
    get refused() {
      return refused;
    },
    add({ at, fields, tags, special }) {
      // A series exists once it has a value.
      let series: Series | undefined;
      for (const field of Object.keys(fields)) {
        const value = fields[field]!;
        if (value === null || (typeof value === "number" && !Number.isFinite(value) && !special)) continue;
        series ??= findSeries(tags);
        const id = series && catalog.findField(series, field, maxSeries);
        if (id === undefined) {
          refused++;
          continue;
        }
        const batch = findBatch(id);
        batch.times.push(Math.floor(at));
        batch.values.push(special === "stale" ? STALE : value);
      }
    },
    *fields() {
      for (const [id, batch] of batches) yield [id, toFieldPoints(sortBatch(batch))];
    },
  };
}

/** Sorts by time; of several values at one instant the last one written stays. */
function sortBatch(batch: Batch): Batch {
  const { times, values } = batch;
  if (times.every((at, i) => i === 0 || times[i - 1]! < at)) return batch;
  const order = Array.from(times.keys())
    .sort((a, b) => times[a]! - times[b]! || a - b)
    .filter((index, i, all) => times[index] !== times[all[i + 1] ?? -1]);
  return { times: order.map((i) => times[i]!), values: order.map((i) => values[i]!) };
}

function toFieldPoints({ times, values }: Batch): FieldPoints {
  const others = new Map<number, string | boolean>();
  const numbers = new Float64Array(values.length);
  for (const [i, value] of values.entries()) {
    if (typeof value !== "number") {
      if (value === STALE) putNaN(numbers, i, "stale");
      else {
        numbers[i] = Number.NaN;
        others.set(times[i]!, value);
      }
    } else if (Number.isNaN(value)) putNaN(numbers, i, "nan");
    else numbers[i] = value;
  }
  return { times: Float64Array.from(times), values: numbers, others };
}
