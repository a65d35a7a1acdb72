// Live models as the API shows them; seconds, as everywhere at its edge.
import type { ModelSettings } from "../core/model.ts";
import { parseDuration } from "../core/time.ts";
import type { OutputProblem } from "../live/output.ts";
import type { LiveState } from "../live/state.ts";
import type { Drift } from "../models/kind.ts";
import type { EvaluationRow } from "../store/evaluations.ts";
import type { LiveOptions, LiveRow } from "../store/live.ts";

/** What is known of a live model. */
export interface LiveView {
  readonly row: LiveRow;
  readonly state: LiveState;
  readonly outputProblem?: OutputProblem | undefined;
  /** Newest first; absent in lists. */
  readonly evaluations?: readonly EvaluationRow[];
}

const seconds = (at: number): number => at / 1000;

/** Parameters of the start, by the names old and new clients know: `settings.run`. */
export function viewRun({ detect, save }: LiveOptions): object {
  return {
    detect_anomalies: detect,
    flag_abnormal_data: detect,
    save_output_data: save !== undefined,
    ...(save && { output_bucket: save.bucket }),
  };
}

/** `live` of a model. */
export function viewLive(
  { row, state, outputProblem, evaluations }: LiveView,
  { offset }: ModelSettings,
  nowAt: number,
): object {
  const { lastWindowAt, missed, failures, startedAt } = row;
  const { episode, drift } = state;
  const endsAt = nowAt - parseDuration(offset ?? 0, "offset");
  return {
    started: seconds(startedAt),
    last_window: lastWindowAt === null ? null : seconds(lastWindowAt),
    lag: lastWindowAt === null ? null : Math.max(0, seconds(endsAt - lastWindowAt)),
    missed,
    failures,
    ...viewError(row),
    ...(outputProblem && { output_error: viewOutput(outputProblem) }),
    ...(episode && {
      anomaly: {
        id: episode.id,
        start: seconds(episode.startedAt),
        score: episode.score,
        peak_score: episode.peakScore,
        features: episode.features,
      },
    }),
    ...(drift && { drift: viewDrift(drift) }),
    ...(evaluations && { evaluations: evaluations.map(viewEvaluation) }),
  };
}

function viewDrift({ feature, sinceAt, share }: Drift): object {
  return { feature, since: seconds(sinceAt), share, advice: "retrain" };
}

/** Absent once an evaluation has succeeded after it; `evaluations` still lists it. */
function viewError({
  lastErrorCode: code,
  lastErrorMessage: message,
  lastErrorAt,
  failures,
}: LiveRow): object {
  if (failures === 0 || code === null || lastErrorAt === null) return {};
  return { last_error: { code, message, timestamp: seconds(lastErrorAt) } };
}

function viewOutput({ code, message, at, dropped }: OutputProblem): object {
  return { code, message, timestamp: seconds(at), dropped };
}

function viewEvaluation({ windowAt, evaluatedAt, durationMs, outcome, score, error }: EvaluationRow): object {
  return {
    window: seconds(windowAt),
    timestamp: seconds(evaluatedAt),
    duration: durationMs / 1000,
    outcome,
    score,
    ...(error !== null && { error }),
  };
}
