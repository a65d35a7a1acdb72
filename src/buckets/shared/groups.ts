// Columns per series of a grouped read: the first `maxSeries` combinations of tag values, in whatever order they come.
import { type Columns, toGrid } from "../../core/series/columns.ts";
import { countIntervals } from "../../core/series/grid.ts";
import { compareGroups, type GroupedGrid, groupValuesOf } from "../../core/series/grouped-grid.ts";
import type { FeatureQuery, GroupedQuery } from "../../core/series/query.ts";
import type { SharedColumns } from "./per-series.ts";

/** A series of the answer under construction. */
export interface Group {
  readonly values: readonly string[];
  readonly columns: Columns;
  /** Columns that take raw points, by the reducer they belong to; see group-reducer.ts. */
  readonly reducing: Map<object, SharedColumns>;
}

/** Value of an interval without points. */
type EmptyOf = (feature: FeatureQuery) => number;

/**
 * Collects groups in bounded memory. Beyond the limit the last group in order is dropped for one before it; a dropped
 * group cannot return, because the limit only moves forward in the order.
 */
export class Groups {
  readonly #byKey = new Map<string, Group>();
  /** Keys in the order of their values. */
  readonly #sorted: { readonly key: string; readonly values: readonly string[] }[] = [];
  #truncated = false;

  constructor(
    private readonly query: GroupedQuery,
    private readonly emptyOf: EmptyOf,
  ) {}

  /** The group of a key, where it has had a point and is within the limit. */
  find(key: string): Group | undefined {
    return this.#byKey.get(key);
  }

  all(): Iterable<Group> {
    return this.#byKey.values();
  }

  /** The group of a key with at least one point; undefined beyond the limit. */
  of(key: string): Group | undefined {
    const known = this.#byKey.get(key);
    if (known) return known;
    const values = groupValuesOf(key);
    const place = this.#findPlace(values);
    if (this.#sorted.length >= this.query.maxSeries) {
      this.#truncated = true;
      if (place >= this.#sorted.length) return undefined;
      this.#byKey.delete(this.#sorted.pop()!.key);
    }
    const group: Group = { values, columns: new Map(), reducing: new Map() };
    this.#sorted.splice(place, 0, { key, values });
    this.#byKey.set(key, group);
    return group;
  }

  /** The column of a feature, at first with the value of empty intervals; undefined beyond the limit. */
  columnOf(key: string, feature: FeatureQuery): Float64Array | undefined {
    const group = this.of(key);
    if (!group) return undefined;
    const known = group.columns.get(feature.name);
    if (known) return known;
    const made = this.#makeEmpty(feature);
    group.columns.set(feature.name, made);
    return made;
  }

  /** The series in order; features without points have empty columns. */
  finish(): GroupedGrid {
    const { groupBy, features } = this.query;
    const series = this.#sorted.map(({ key, values }) => {
      const { columns } = this.#byKey.get(key)!;
      for (const feature of features)
        if (!columns.has(feature.name)) columns.set(feature.name, this.#makeEmpty(feature));
      const tags = Object.fromEntries(groupBy.map((tag, i) => [tag, values[i]!]));
      return { tags, grid: toGrid(this.query, columns) };
    });
    return { series, truncated: this.#truncated };
  }

  #makeEmpty(feature: FeatureQuery): Float64Array {
    const { range, intervalMs } = this.query;
    return new Float64Array(countIntervals(range, intervalMs)).fill(this.emptyOf(feature));
  }

  /** Index of the first group after `values`. */
  #findPlace(values: readonly string[]): number {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareGroups(this.#sorted[middle]!.values, values) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
