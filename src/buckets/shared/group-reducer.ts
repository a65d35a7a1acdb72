// Reduction of raw points per group: features that share their points, a set of columns for each group.
import type { ReadQuery } from "../../core/series/query.ts";
import { requireMetric } from "../../metrics/index.ts";
import type { Group, Groups } from "./groups.ts";
import { createSharedColumns, type SharedColumns, startBudget, tooManySeries } from "./per-series.ts";
import { type Samples, VALUES_PER_STEP, type Yielder } from "./samples.ts";

/** Keys of the group and of the series of a point. */
export interface PointKeys {
  readonly group: string;
  /** Any text where no feature is computed per series. */
  readonly series: string;
}

interface GroupReducer {
  /** Adds one point; those of a group are in order as in `SharedColumns.add`. @throws as `SharedColumns.add` */
  put(at: number, value: number, keys: PointKeys): void;
  /** Adds samples that name their groups. @throws as `put`; what `yieldNow` throws */
  add(samples: Samples, yieldNow: Yielder): Promise<void>;
  /** Sets the columns of the groups. */
  finish(): void;
}

type EarlyPoint = readonly [at: number, value: number];

/**
 * Starts the reduction of features that share their points. A point before the range makes no group: the last one of
 * each series is kept until its group has one within, for metrics that look back.
 */
export function createGroupReducer(query: ReadQuery, groups: Groups): GroupReducer {
  const { range } = query;
  const countsTexts = query.features.some(({ metric }) => requireMetric(metric).counts === "any");
  const budget = startBudget();
  const budgetOfEarly = startBudget();
  const early = new Map<string, Map<string, EarlyPoint>>();
  const self = {};

  function start(group: Group, key: string): SharedColumns {
    const columns = createSharedColumns(query, budget);
    group.reducing.set(self, columns);
    for (const [series, point] of early.get(key) ?? []) columns.put(...point, series);
    early.delete(key);
    return columns;
  }

  function keep(at: number, value: number, { group, series }: PointKeys): void {
    const points = early.get(group) ?? new Map<string, EarlyPoint>();
    early.set(group, points);
    if (!points.has(series) && budgetOfEarly.left-- <= 0) throw tooManySeries();
    if (!((points.get(series)?.[0] ?? -Infinity) > at)) points.set(series, [at, value]);
  }

  function put(at: number, value: number, keys: PointKeys): void {
    const isEarly = at < range.fromAt;
    if (at >= range.toAt || (Number.isNaN(value) && (isEarly || !countsTexts))) return;
    const known = groups.find(keys.group)?.reducing.get(self);
    if (known) known.put(at, value, keys.series);
    else if (isEarly) keep(at, value, keys);
    else {
      const group = groups.of(keys.group);
      if (group) start(group, keys.group).put(at, value, keys.series);
    }
  }

  return {
    put,
    async add({ times, values, series, groups: keys }, yieldNow) {
      for (let from = 0; from < times.length; from += VALUES_PER_STEP) {
        const to = Math.min(from + VALUES_PER_STEP, times.length);
        for (let i = from; i < to; i++)
          put(times[i]!, values[i]!, { group: keys![i]!, series: series?.[i] ?? "" });
        await yieldNow();
      }
    },
    finish() {
      for (const { columns, reducing } of groups.all()) reducing.get(self)?.finish(columns);
    },
  };
}
