// Rules of detection in force for a model, for replays in the browser.
import type { ModelView } from "../../api/model.ts";
import type { AnomalyRules } from "../../core/anomaly/state.ts";
import { parseDuration } from "../../core/time/time.ts";

/** Guards are left out: they hold back starts by values, which scores do not show. */
export function rulesOf({ state, settings }: Pick<ModelView, "state" | "settings">): AnomalyRules {
  const { max = 50, min = 25 } = state.thresholds ?? {};
  const { grace_period, min_duration, notify_after } = settings as {
    readonly grace_period?: string | number;
    readonly min_duration?: number;
    readonly notify_after?: { readonly n: number; readonly of: number };
  };
  return {
    max,
    min,
    minDuration: min_duration ?? 1,
    gracePeriodMs: grace_period === undefined ? 0 : parseDuration(grace_period, "grace_period"),
    ...(notify_after && { notifyAfter: notify_after }),
  };
}
