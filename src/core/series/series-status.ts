// Status of a series of a live fleet.

/** `new`: no point was scored by ranks of its own yet; `silent`: its points have stopped, whatever they were before. */
const seriesStatuses = ["new", "watched", "anomalous", "silent"] as const;
export type SeriesStatus = (typeof seriesStatuses)[number];

/** As lists show them; `stopped`: the model is not live. */
export const shownStates = [...seriesStatuses, "stopped"] as const;

/** Numbers of series by status, of those that failed, and of those beyond `max_series`. */
export type FleetCounts = Readonly<Record<SeriesStatus | "failed" | "unwatched", number>>;
