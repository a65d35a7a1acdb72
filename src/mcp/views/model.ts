// Models for assistants: one line of a list, and one model with its settings, training and live detection.
import type { LiveStateView } from "../../api/live.ts";
import type { ModelView } from "../../api/model.ts";
import { stateOfModel } from "../../core/model/model-state.ts";
import { isoOf, maybeIso, roundAll, withoutNulls } from "./values.ts";

/** Last evaluations shown with a model. */
const EVALUATIONS = 5;

/** An entry of a list. */
export function lineOfModel(model: ModelView): Readonly<Record<string, unknown>> {
  const { settings, live, state } = model;
  return roundAll({
    name: settings.name,
    state: stateOfModel(model),
    ...(live && { last_window: maybeIso(live.last_window), score: live.score ?? null }),
    ...(state.series && { series: state.series }),
    ...(live?.anomaly && { anomaly: showOngoing(live.anomaly) }),
    ...(live?.last_error && live.failures > 0 && { error: live.last_error.message }),
    ...(live?.silence && { silent_since: isoOf(live.silence.since) }),
  });
}

function showOngoing({ id, start, peak_score, severity }: NonNullable<LiveStateView["anomaly"]>) {
  return { id, start: isoOf(start), peak_score, severity };
}

/** Settings as they are stored; numbers of the state are rounded. */
export function showModel(model: ModelView): Readonly<Record<string, unknown>> {
  const { settings, state, units, training, live } = model;
  const { run: _, ...own } = settings;
  return {
    name: settings.name,
    state: stateOfModel(model),
    settings: withoutNulls(own),
    ...(units && { units }),
    training: roundAll(state),
    ...(training && { last_training_job: training }),
    ...(live && { live: roundAll(showLive(live)) }),
  };
}

function showLive(live: LiveStateView): object {
  const { late, drift, silence, level_shift: shift, learning, output_error: output } = live;
  return {
    started: isoOf(live.started),
    last_window: maybeIso(live.last_window),
    lag_s: live.lag,
    offset_s: live.offset,
    score: live.score ?? null,
    ...(live.value && { observed: live.value }),
    missed_windows: live.missed,
    failures_in_a_row: live.failures,
    ...(live.newest_point !== undefined && { newest_point: isoOf(live.newest_point) }),
    ...(live.last_error && { last_error: withIso(live.last_error, "timestamp") }),
    ...(output && { output_error: withIso(output, "timestamp") }),
    ...(late && { late }),
    ...(learning && { learning }),
    ...(live.anomaly && { anomaly: showOngoing(live.anomaly) }),
    ...(shift && { level_shift: withIso(shift, "timestamp", "since") }),
    ...(drift && { drift: withIso(drift, "since") }),
    ...(silence && { silence: withIso(silence, "since") }),
    ...(live.silence_after !== undefined && { silence_after_s: live.silence_after }),
    ...(live.forecasts && {
      forecasts: live.forecasts.map((each) => withIso(each, "made", "first", "earliest", "latest")),
    }),
    ...(live.evaluations && {
      evaluations: live.evaluations.slice(0, EVALUATIONS).map((each) => withIso(each, "window", "timestamp")),
    }),
  };
}

/** A copy in which these instants are ISO 8601. */
function withIso<T extends object>(view: T, ...keys: (keyof T & string)[]): object {
  const known = keys.filter((key) => typeof view[key] === "number");
  return { ...view, ...Object.fromEntries(known.map((key) => [key, isoOf(view[key] as number)])) };
}
