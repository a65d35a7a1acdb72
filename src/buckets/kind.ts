// What a data-source kind is: settings, secrets, and a way to open a bucket that reads grids and writes points.
import type { Static, TObject } from "@sinclair/typebox";
import type { Annotation } from "../core/anomaly/annotation.ts";
import type { Snapshot } from "../core/formats/snapshot.ts";
import type { NamePattern } from "../core/input/name-pattern.ts";
import type { Grid } from "../core/series/grid.ts";
import type { Point, ReadQuery } from "../core/series/query.ts";

/** What a data source says of itself; what cannot be had at little cost is absent. */
export interface ProbeResult {
  /** The software and its version. */
  readonly version?: string;
  readonly series?: number;
  /** Of the newest point, in ms; null where there is none. */
  readonly newestAt?: number | null;
}

/** How much of a data source `explore` may list; what is beyond is left out and `truncated` says so. */
export interface ExploreLimits {
  readonly measurements: number;
  /** Fields, and tags, of a measurement. */
  readonly names: number;
  /** Values of a tag. */
  readonly values: number;
}

/** What `explore` is asked for. */
export interface ExploreOptions {
  readonly limits: ExploreLimits;
  /** This one alone; where the kind has none, the part of a field's name that stands for it. */
  readonly measurement?: string;
  /** This one alone. */
  readonly field?: string;
  /** Its values, and nothing else; one entry answers, of the measurement asked for. */
  readonly tag?: string;
  /** Names of fields, or of values where a tag is given. */
  readonly search?: NamePattern;
  /** Asks for a page: matches in front of it. It holds `limits.names` fields, or `limits.values` values. */
  readonly skip?: number;
}

export interface ExploredField {
  readonly name: string;
  readonly type?: string;
  /** Names of the tags its series carry, where series of other fields may carry other tags. */
  readonly tags?: readonly string[];
}

export interface ExploredMeasurement {
  /** Null where the kind has no measurements. */
  readonly name: string | null;
  readonly fields: readonly ExploredField[];
  readonly tags: readonly { readonly name: string; readonly values: readonly string[] }[];
  /** Instants of the first and the last point, in ms; absent: not to be had at little cost. */
  readonly firstAt?: number | null;
  readonly lastAt?: number | null;
}

export interface Exploration {
  readonly measurements: readonly ExploredMeasurement[];
  /** There is more than the limits allow, or behind the page. */
  readonly truncated: boolean;
}

export interface WriteOptions {
  readonly measurement?: string;
  /** The points are a saved prediction: a store with one space of names for everybody sets it apart. */
  readonly isPrediction?: boolean;
  /** Told how many of the points were not stored because the bucket's retention has passed; never 0. */
  readonly onExpired?: (count: number) => void;
}

/** An open data source. Every call may throw TorusError `bucket_*`; a partial answer is an error, never data. */
export interface Bucket {
  /** The grid over the whole range, NaN where there is nothing, 0 for the `count` of an empty interval. */
  read(query: ReadQuery, signal: AbortSignal): Promise<Grid>;
  /**
   * Stores points; all or nothing where the store can, else the error says what was refused, and the same points may
   * be written again. Absent where the kind is read-only.
   */
  write?(points: readonly Point[], options: WriteOptions, signal: AbortSignal): Promise<void>;
  /** Marks an anomaly where dashboards look for it; the same id again replaces. Absent where the kind cannot. */
  annotate?(annotation: Annotation, signal: AbortSignal): Promise<void>;
  /** Deletes all points. Absent where the kind cannot. */
  clear?(signal: AbortSignal): Promise<void>;
  /** Connects, and says what is there. Absent where the kind cannot. */
  probe?(signal: AbortSignal): Promise<ProbeResult>;
  /** What there is to read. Absent where the kind cannot. */
  explore?(options: ExploreOptions, signal: AbortSignal): Promise<Exploration>;
  close(): void;
}

/** What the service gives a bucket when it opens. */
export interface OpenContext {
  /** Folder for kinds that keep files of their own. */
  readonly dataDir: string;
  /** Folder below which kinds may read files that are not the service's own; absent: none may. */
  readonly dataRoot?: string;
}

/** A kind is a value; one file each, listed in index.ts. `settings` gives check, type, OpenAPI and the table of the reference. */
export interface BucketKind<S extends TObject = TObject> {
  readonly kind: string;
  /** One line for the documentation. */
  readonly description: string;
  /** Without `name` and `type`, which all kinds share; `additionalProperties: false`. */
  readonly settings: S;
  /** Keys of `settings` that never leave the service. */
  readonly secrets: readonly string[];
  /** Keys of `settings` that say where secrets are sent, and how well they are protected on the way. */
  readonly destination: readonly string[];
  /** Checks what the schema cannot say, when a bucket is created. @throws TorusError `invalid` */
  check?(settings: Static<S>): void;
  /**
   * Checks what only this machine can say, when a bucket is created through the interface.
   * @throws TorusError `invalid` for what cannot work before the server is set up differently
   */
  checkPlace?(settings: Static<S>, context: OpenContext): Promise<void>;
  /** Language of `FeatureQuery.query`, as in "PromQL"; absent: the kind takes none. */
  readonly queryLanguage?: string;
  /** Checks what can be said of a query without asking the store. @throws TorusError `invalid` at `path` */
  checkQuery?(query: string, path: string): void;
  /** Opens the bucket called `name`; must not wait for the outside world. */
  open(name: string, settings: Static<S>, context: OpenContext): Bucket;
  /** Removes what `open` left in the data directory, when the bucket is deleted. */
  destroy?(name: string, context: OpenContext): void;
  /** Holds what it keeps in the data directory still, to be copied; undefined where there is nothing. */
  hold?(name: string, context: OpenContext): Snapshot | undefined;
}
