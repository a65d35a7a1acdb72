// What buckets and models ask of live detection when they are about to go.

export interface LiveControl {
  /** Names of the live models that read from or write to a bucket. */
  modelsUsing(bucket: string): Promise<string[]>;
  /** Stops those of the models that are live. */
  stop(models: readonly string[]): Promise<void>;
}
