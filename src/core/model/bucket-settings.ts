// Settings of a bucket as they are stored: checked by the registry of kinds, secrets included.
export interface BucketSettings {
  readonly name: string;
  /** A registered kind. */
  readonly type: string;
  /** What the kind's own schema describes. */
  readonly [key: string]: unknown;
}
