// State of a model in one word, by the attention that is due.

/** Worst first. */
export const modelStates = [
  "anomaly",
  "failing",
  "training",
  "learning",
  "live",
  "stopped",
  "untrained",
] as const;
export type ModelStateName = (typeof modelStates)[number];
