// Summary of a version: the values of a training that `state` shows, by key.

/** Scalars, and objects that lists of versions leave out; never null. */
export type VersionSummary = Readonly<Record<string, number | string | boolean | object>>;
