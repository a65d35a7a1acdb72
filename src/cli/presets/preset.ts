// Preset: a table of the usual series of one data source; each row becomes a fleet of all hosts.
export interface PresetRow {
  /** Part of the model name; also the name of its feature. */
  readonly name: string;
  readonly measurement?: string;
  readonly field: string;
  readonly metric: string;
  /** Tags of the series besides the host. */
  readonly match?: Readonly<Record<string, string>>;
  /** One model for each value of this tag, except those that match `skip`. */
  readonly per?: { readonly tag: string; readonly skip?: RegExp };
  readonly anomalyType: "low" | "high" | "low_high";
}

export interface Preset {
  readonly name: string;
  /** The monitored things, in a few words. */
  readonly source: string;
  /** Tag whose values are the hosts. */
  readonly hostTag: string;
  readonly rows: readonly PresetRow[];
}
