// What a preset is: a table of series that people of one data source want watched, each row a model per host.
export interface PresetRow {
  /** Part of the model's name, and name of its feature. */
  readonly name: string;
  readonly measurement?: string;
  readonly field: string;
  readonly metric: string;
  /** Tags that the series have, beside that of the host. */
  readonly match?: Readonly<Record<string, string>>;
  /** One model for each value of this tag, but for those that `skip` matches. */
  readonly per?: { readonly tag: string; readonly skip?: RegExp };
  readonly anomalyType: "low" | "high" | "low_high";
}

export interface Preset {
  readonly name: string;
  /** What it is for, in a few words. */
  readonly source: string;
  /** Tag whose values are the hosts. */
  readonly hostTag: string;
  readonly rows: readonly PresetRow[];
}
