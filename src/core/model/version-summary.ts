// Summary of a version: the values of a training that `state` shows, by key.

/** Scalars, and objects that lists of versions leave out; never null. */
export type VersionSummary = Readonly<Record<string, number | string | boolean | object>>;

/** Units of the points by feature, as their source stated them at the training. */
export function unitsIn(summary: VersionSummary = {}): Readonly<Record<string, string>> {
  const { source_units: units } = summary;
  const entries = typeof units === "object" ? Object.entries(units) : [];
  return Object.fromEntries(entries.filter(([, unit]) => typeof unit === "string"));
}
