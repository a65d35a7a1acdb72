// State of a model in one word, by the attention that is due.

/** Worst first. */
export const modelStates = [
  "anomaly",
  "failing",
  "no_data",
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
    readonly series?: Readonly<Record<"new" | "watched" | "anomalous", number>> | undefined;
  };
  readonly training?: { readonly state: string } | undefined;
  readonly live?:
    | { readonly failures: number; readonly anomaly?: unknown; readonly silence?: unknown }
    | undefined;
}

/** Whether the points of a live model have stopped, of a fleet those of all its series. */
export function hasNoData({ live, state: { series } }: Pick<ShownModel, "live" | "state">): boolean {
  if (!live) return false;
  return (
    Boolean(live.silence) || (series !== undefined && series.new + series.watched + series.anomalous === 0)
  );
}

/** The state of a model that is shown; lists are filtered by the same one in the database. */
export function stateOfModel(model: ShownModel): ModelStateName {
  const { live, training, state } = model;
  if (live?.anomaly || (live && state.series?.anomalous)) return "anomaly";
  if (live && live.failures > 0) return "failing";
  if (hasNoData(model)) return "no_data";
  if (training?.state === "running" || training?.state === "waiting") return "training";
  if (live) return state.trained ? "live" : "learning";
  return state.trained ? "stopped" : "untrained";
}
