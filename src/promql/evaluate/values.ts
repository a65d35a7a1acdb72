// Values of expressions over the steps of a query: columns, with a flag where a series has a sample.
import type { FieldSamples } from "../../core/series/samples.ts";
import { executionError } from "../errors.ts";
import { keyOf, type Labels } from "../labels.ts";

/** Instants of evaluation, ms since the epoch. */
export interface Steps {
  readonly startAt: number;
  /** 1 or more, also of a single step. */
  readonly stepMs: number;
  readonly count: number;
}

/** A series of an instant vector, step by step. */
export interface Column {
  readonly labels: Labels;
  /** Where `present` is 0 without meaning. */
  readonly values: Float64Array;
  /** 1 where there is a sample; NaN may be its value. */
  readonly present: Uint8Array;
}

export interface Scalar {
  readonly type: "scalar";
  readonly values: Float64Array;
}

export interface Vector {
  readonly type: "vector";
  readonly columns: readonly Column[];
}

export interface Text {
  readonly type: "string";
  readonly value: string;
}

export type Value = Scalar | Vector | Text;

/** Raw samples of a series, ascending in time. */
export interface Samples extends FieldSamples {
  readonly labels: Labels;
}

export function instantOf({ startAt, stepMs }: Steps, step: number): number {
  return startAt + step * stepMs;
}

/** Last step, ms since the epoch. */
export function endOf(steps: Steps): number {
  return instantOf(steps, steps.count - 1);
}

export function emptyColumn(labels: Labels, count: number): Column {
  return { labels, values: new Float64Array(count), present: new Uint8Array(count) };
}

/** The samples of a column, without gaps. */
export function samplesOf({ labels, values, present }: Column, steps: Steps): Samples {
  let count = 0;
  for (const each of present) count += each;
  const [times, kept] = [new Float64Array(count), new Float64Array(count)];
  let next = 0;
  for (let step = 0; step < steps.count; step++) {
    if (present[step] === 0) continue;
    times[next] = instantOf(steps, step);
    kept[next++] = values[step]!;
  }
  return { labels, times, values: kept };
}

export function vectorOf(columns: readonly Column[]): Vector {
  return { type: "vector", columns };
}

/**
 * One column per label set, as operations that drop labels may make several series alike.
 * @throws PromqlError `execution` where two have a sample at the same step
 */
export function joinColumns(columns: readonly Column[]): Column[] {
  const byKey = new Map<string, Column>();
  for (const column of columns) {
    const key = keyOf(column.labels);
    const known = byKey.get(key);
    if (known) addTo(known, column);
    else byKey.set(key, column);
  }
  return [...byKey.values()];
}

function addTo(known: Column, added: Column): void {
  for (let i = 0; i < added.present.length; i++) {
    if (added.present[i] === 0) continue;
    if (known.present[i] === 1) throw sameLabels();
    known.values[i] = added.values[i]!;
    known.present[i] = 1;
  }
}

function sameLabels() {
  return executionError("vector cannot contain metrics with the same labelset");
}

export function isEmpty({ present }: Column): boolean {
  return !present.includes(1);
}
