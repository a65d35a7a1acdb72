// Samples of fields: single stored points, in contrast to the intervals of a grid.
import type { Range } from "./grid.ts";

/** Bits of a stale marker, the NaN that ends a series, as Prometheus has them. */
export const staleBits = { high: 0x7ff00000, low: 2 } as const;

/** Name and tags of a pushed series, which is a field without a measurement. */
export interface SeriesName {
  readonly metric: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** Pushed samples by column, in the order in which they were sent. */
export interface SampleBatch {
  /** Samples of one series share the object. */
  readonly series: readonly SeriesName[];
  /** ms since the epoch. */
  readonly times: readonly number[];
  readonly values: readonly number[];
  /** Indices of stale markers, which have no value. */
  readonly stale: ReadonlySet<number>;
}

/** Fields to visit. */
export interface FieldQuery {
  /** By names alone, before tags are read. */
  matches(measurement: string, field: string): boolean;
  /** Tags that each series has. */
  readonly tags: readonly { readonly tag: string; readonly value: string }[];
}

/** One sequence of points: a field of a series. */
interface StoredField {
  /** Empty where points were written without one. */
  readonly measurement: string;
  readonly field: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Whether a block of points touches the range; `toAt` exclusive. */
  hasPoints(range: Range): boolean;
}

/** Some of the fields that match. */
export interface FieldPage {
  readonly fields: readonly StoredField[];
  /**
   * Numbers within the range, ascending in time, NaN, infinities and stale markers too; texts and booleans are left out.
   * @param places ascending, of fields of the page
   * @returns the samples of each of these; series with the same instants share the array of `times`
   */
  read(places: readonly number[], range: Range, onRead: OnRead): Promise<readonly FieldSamples[]>;
}

/** Called for each block with points, before they are kept; ends the read by throwing. @param isFirst of its field */
export type OnRead = (points: number, isFirst: boolean) => void;

export interface FieldSamples {
  /** ms since the epoch */
  readonly times: Float64Array;
  readonly values: Float64Array;
  /** 1 at stale markers, which end the series and have no value; absent: there is none. */
  readonly stale?: Uint8Array;
}
