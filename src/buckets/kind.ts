// Interfaces of bucket kinds: settings, secrets, and the operations of an open bucket.
import type { Static, TObject } from "@sinclair/typebox";
import type { Annotation } from "../core/anomaly/annotation.ts";
import { type ErrorDetails, TorusError } from "../core/errors.ts";
import type { Snapshot } from "../core/formats/snapshot.ts";
import type { NamePattern } from "../core/input/name-pattern.ts";
import type { Grid } from "../core/series/grid.ts";
import type { GroupedGrid } from "../core/series/grouped-grid.ts";
import type { MetricMetadata } from "../core/series/metric-metadata.ts";
import type { GroupedQuery, Point, ReadQuery } from "../core/series/query.ts";
import type { FieldPage, FieldQuery, SampleBatch } from "../core/series/samples.ts";
import type { Clock } from "../runtime/clock.ts";

/** Description of a reachable data source; values that are expensive to read are absent. */
export interface ProbeResult {
  /** Software and version. */
  readonly version?: string;
  readonly series?: number;
  /** Time of the newest point, in ms; null where there is none. */
  readonly newestAt?: number | null;
}

/** Maximum sizes of the lists of an exploration; `truncated` reports that there is more. */
export interface ExploreLimits {
  readonly measurements: number;
  /** Fields, and tags, of a measurement. */
  readonly names: number;
  /** Values of a tag. */
  readonly values: number;
}

/** Filter and page of an exploration. */
export interface ExploreOptions {
  readonly limits: ExploreLimits;
  /** Only this measurement; where the kind has none, a prefix of names of fields. */
  readonly measurement?: string;
  /** Only this field. */
  readonly field?: string;
  /** Only the values of this tag, as the single entry of the answer. */
  readonly tag?: string;
  /** Pattern of names of fields, or of values where a tag is given. */
  readonly search?: NamePattern;
  /** Number of matches before the page, which holds `limits.names` fields, or `limits.values` values. */
  readonly skip?: number;
}

export interface ExploredField {
  readonly name: string;
  readonly type?: string;
  /** What the source says of it: `counter`, `gauge`, `histogram`, ... */
  readonly kind?: string;
  /** As the source states it. */
  readonly unit?: string;
  /** Names of the tags of its series, where tags differ between fields. */
  readonly tags?: readonly string[];
}

export interface ExploredMeasurement {
  /** Null where the kind has no measurements. */
  readonly name: string | null;
  readonly fields: readonly ExploredField[];
  readonly tags: readonly { readonly name: string; readonly values: readonly string[] }[];
  /** Instants of the first and the last point, in ms; absent where reading them is expensive. */
  readonly firstAt?: number | null;
  readonly lastAt?: number | null;
}

export interface Exploration {
  readonly measurements: readonly ExploredMeasurement[];
  /** There is more beyond the limits or after the page. */
  readonly truncated: boolean;
}

export interface WriteOptions {
  readonly measurement?: string;
  /** The points are a saved prediction: a store with a global namespace puts them under a prefix. */
  readonly isPrediction?: boolean;
  /** Reports the number (> 0) of points that were dropped because they are older than the retention. */
  readonly onExpired?: (count: number) => void;
  /** Series, each with one field, beyond which no new ones are stored; kinds other than `local` ignore it. */
  readonly maxSeries?: number;
  /** Reports the number (> 0) of values that were dropped because of `maxSeries`. */
  readonly onExcess?: (count: number) => void;
}

/** `bucket_rejected` of a write whose other points were stored; repeating it would be refused again. */
export class PartialWriteError extends TorusError {
  constructor(message: string, details?: ErrorDetails) {
    super("bucket_rejected", message, details);
  }
}

/** An open data source. Every call may throw TorusError `bucket_*`; a partial answer is an error, never data. */
export interface Bucket {
  /** Reads the grid over the whole range: NaN for empty intervals, 0 for their `count`. */
  read(query: ReadQuery, signal: AbortSignal): Promise<Grid>;
  /**
   * Reads one grid per combination of tag values, each as `read` of its tags would. Absent where unsupported.
   * @throws TorusError `not_supported` for a feature query that answers one series
   */
  readGrouped?(query: GroupedQuery, signal: AbortSignal): Promise<GroupedGrid>;
  /** Visits fields page by page, in one snapshot; `visit` may read their points. Absent where unsupported. */
  visitFields?(
    query: FieldQuery,
    visit: (page: FieldPage) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void>;
  /**
   * Stores points: all or none where the store supports it; else the error lists the refused points, and the write may
   * be repeated. Absent where the kind is read-only.
   * @throws PartialWriteError if the other points were stored
   */
  write?(points: readonly Point[], options: WriteOptions, signal: AbortSignal): Promise<void>;
  /** As `write`, of samples of series, with special values and stale markers. Absent where unsupported. */
  writeSamples?(samples: SampleBatch, options: WriteOptions, signal: AbortSignal): Promise<void>;
  /** Keeps what a sender says of its metrics, up to a cap. Absent where unsupported. */
  describeMetrics?(metrics: readonly MetricMetadata[], signal: AbortSignal): Promise<void>;
  /** What senders have said of their metrics, by name. Absent where unsupported. */
  listMetadata?(signal: AbortSignal): Promise<readonly MetricMetadata[]>;
  /** Writes an annotation for dashboards, or replaces the one of the same id. Absent where unsupported. */
  annotate?(annotation: Annotation, signal: AbortSignal): Promise<void>;
  /** Deletes all points. Absent where unsupported. */
  clear?(signal: AbortSignal): Promise<void>;
  /** Connects and describes the data source. Absent where unsupported. */
  probe?(signal: AbortSignal): Promise<ProbeResult>;
  /** Lists measurements, fields and tags. Absent where unsupported. */
  explore?(options: ExploreOptions, signal: AbortSignal): Promise<Exploration>;
  close(): void;
}

/** Points of a message that a source has pushed, or why there are none. */
export type Reading =
  | {
      /** By measurement. */
      readonly points: ReadonlyMap<string, readonly Point[]>;
      readonly mistake?: string;
    }
  | { readonly mistake: string }
  /** Its values are of an unknown time. */
  | { readonly isStale: true };

/** Where a subscription puts what it receives. */
export interface PushSink {
  readonly clock: Clock;
  /**
   * Stores the points; repeats until that works.
   * @param source of the message, as in a topic
   * @throws the reason of the signal
   */
  take(source: string, reading: Reading, signal: AbortSignal): Promise<void>;
  onUp(): void;
  /** Called at each failed attempt to connect. */
  onDown(error: unknown): void;
}

export interface Subscription {
  /** Takes no further message; one under way is not acknowledged. The source keeps what follows. */
  close(): Promise<void>;
  /**
   * Closes it for good: the source keeps nothing that `next` does not take.
   * @param next settings that replace its own; absent: the bucket is deleted
   */
  release(next?: object): Promise<void>;
}

/** Folders of the service that a bucket may use. */
export interface OpenContext {
  /** Folder for kinds that keep files of their own. */
  readonly dataDir: string;
  /** Folder whose files kinds may read; absent: none. */
  readonly dataRoot?: string;
  /** Points of all files that may wait to become blocks; absent: a default. */
  readonly headPoints?: () => number;
  /** What is known of the points of the bucket outside of its files; absent: nothing. */
  readonly history?: PointHistory;
}

/** Tells a file that is gone from one that was never there. */
export interface PointHistory {
  /** Whether the bucket has had points. */
  readonly hasPoints: boolean;
  /** Keeps that the bucket has points. */
  keep(): Promise<void>;
}

/** A kind of bucket, listed in index.ts. `settings` is its schema: validation, type, OpenAPI and docs follow from it. */
export interface BucketKind<S extends TObject = TObject> {
  readonly kind: string;
  /** One line for the documentation. */
  readonly description: string;
  /** Without `name` and `type`, which all kinds share; `additionalProperties: false`. */
  readonly settings: S;
  /** Keys of `settings` that are never shown. */
  readonly secrets: readonly string[];
  /** Keys of `settings` that determine where secrets are sent, and how the transport is protected. */
  readonly destination: readonly string[];
  /** Checks rules beyond the schema when a bucket is created. @throws TorusError `invalid` */
  check?(settings: Static<S>): void;
  /**
   * Checks the settings against this machine when a bucket is created through the API.
   * @throws TorusError `invalid` where the configuration of the server must change first
   */
  checkPlace?(settings: Static<S>, context: OpenContext): Promise<void>;
  /** Language of `FeatureQuery.query`, as in "PromQL"; absent: unsupported. */
  readonly queryLanguage?: string;
  /** Checks a query without contacting the store. @throws TorusError `invalid` at `path` */
  checkQuery?(query: string, path: string): void;
  /** Opens the bucket `name` without I/O to other hosts. */
  open(name: string, settings: Static<S>, context: OpenContext): Bucket;
  /** Receives points that the source pushes, and connects again by itself. */
  subscribe?(name: string, settings: Static<S>, sink: PushSink): Subscription;
  /** Removes the files of a deleted bucket from the data directory. */
  destroy?(name: string, context: OpenContext): void;
  /** Takes a snapshot of the files in the data directory for a backup; undefined where there are none. */
  takeSnapshot?(name: string, context: OpenContext): Snapshot | undefined;
}
