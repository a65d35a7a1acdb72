// What a data-source kind is: settings, secrets, and a way to open a bucket that reads grids and writes points.
import type { Static, TObject } from "@sinclair/typebox";
import type { Annotation } from "../core/annotation.ts";
import type { Grid, Range } from "../core/grid.ts";
import type { Snapshot } from "../core/snapshot.ts";

/** Value of a point's field. Only numbers take part in aggregates; `count` counts any value that is not null. */
export type FieldValue = number | string | boolean | null;

export interface Point {
  /** ms since the epoch. */
  readonly at: number;
  readonly fields: Readonly<Record<string, FieldValue>>;
  readonly tags: Readonly<Record<string, string>>;
}

/** One column to read: a metric over a field of a measurement, among the points that carry all `tags`. */
export interface FeatureQuery {
  /** Column name in the grid. */
  readonly name: string;
  readonly metric: string;
  readonly field: string;
  /** Absent: the bucket's own default, and where it has none, any measurement. */
  readonly measurement?: string;
  readonly tags: readonly { readonly tag: string; readonly value: string }[];
}

/** `range` is aligned on `intervalMs` (see core/grid.ts); `toAt` is exclusive. */
export interface ReadQuery {
  readonly range: Range;
  readonly intervalMs: number;
  readonly features: readonly FeatureQuery[];
}

/** An open data source. Every call may throw TorusError `bucket_*`; a partial answer is an error, never data. */
export interface Bucket {
  /** The grid over the whole range, NaN where there is nothing, 0 for the `count` of an empty interval. */
  read(query: ReadQuery, signal: AbortSignal): Promise<Grid>;
  /** Stores points; all or nothing. Absent where the kind is read-only. */
  write?(
    points: readonly Point[],
    options: { readonly measurement?: string },
    signal: AbortSignal,
  ): Promise<void>;
  /** Marks an anomaly where dashboards look for it; the same id again replaces. Absent where the kind cannot. */
  annotate?(annotation: Annotation, signal: AbortSignal): Promise<void>;
  /** Deletes all points. Absent where the kind cannot. */
  clear?(signal: AbortSignal): Promise<void>;
  close(): void;
}

/** What the service gives a bucket when it opens. */
export interface OpenContext {
  /** Folder for kinds that keep files of their own. */
  readonly dataDir: string;
}

/** A kind is a value; one file each, listed in index.ts. `settings` gives check, type, OpenAPI and README table. */
export interface BucketKind<S extends TObject = TObject> {
  readonly kind: string;
  /** One line for the documentation. */
  readonly description: string;
  /** Without `name` and `type`, which all kinds share; `additionalProperties: false`. */
  readonly settings: S;
  /** Keys of `settings` that never leave the service. */
  readonly secrets: readonly string[];
  /** True where the kind can compute this metric (checked when a model is created). */
  supportsMetric(metric: string): boolean;
  /** Opens the bucket called `name`; must not wait for the outside world. */
  open(name: string, settings: Static<S>, context: OpenContext): Bucket;
  /** Removes what `open` left in the data directory, when the bucket is deleted. */
  destroy?(name: string, context: OpenContext): void;
  /** Holds what it keeps in the data directory still, to be copied; undefined where there is nothing. */
  hold?(name: string, context: OpenContext): Snapshot | undefined;
}
