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

/** What decides on the state, as the API shows a model. */
interface ShownModel {
  readonly state: {
    readonly trained: boolean;
    readonly series?: { readonly anomalous: number } | undefined;
  };
  readonly training?: { readonly state: string } | undefined;
  readonly live?: { readonly failures: number; readonly anomaly?: unknown } | undefined;
}

/** The state of a model that is shown; lists are filtered by the same one in the database. */
export function stateOfModel({ live, training, state }: ShownModel): ModelStateName {
  if (live?.anomaly || (live && state.series?.anomalous)) return "anomaly";
  if (live && live.failures > 0) return "failing";
  if (training?.state === "running" || training?.state === "waiting") return "training";
  if (live) return state.trained ? "live" : "learning";
  return state.trained ? "stopped" : "untrained";
}
