// Summary that ends show-model: effective thresholds, failed training, live state, last evaluations.
import type { FalseAlarmsView } from "../../api/false-alarms.ts";
import type { LiveStateView } from "../../api/live.ts";
import type { FleetStateView, ThresholdsView } from "../../api/model.ts";
import type { Model } from "../client/views.ts";
import type { Context } from "../command/command.ts";
import { formatNumber, formatScore } from "../terminal/format.ts";
import { formatSpan } from "../terminal/progress.ts";
import { clean, renderTable } from "../terminal/table.ts";
import { instantColumn } from "./present.ts";

type WatchedForecast = NonNullable<LiveStateView["forecasts"]>[number];

interface SummaryOptions {
  /** Number of evaluations to show, newest first. */
  readonly evaluations: number;
  /** Why the last training failed. */
  readonly trainingError?: string | undefined;
}

/** Lines of the summary, without a comment sign. */
export function summarizeModel(
  context: Context,
  model: Model,
  { evaluations, trainingError }: SummaryOptions,
): string[] {
  const { live } = model;
  const shown = (live?.evaluations ?? []).slice(0, evaluations);
  const lines = [
    describeState(model),
    describeThresholds(model.state.thresholds),
    describeFalseAlarms(model.state.false_alarms),
    model.state.refused && `not activated: ${model.state.refused}`,
    trainingError && `the last training failed: ${trainingError}`,
    model.training?.state === "running" && "a training is running",
    model.state.trained &&
      live?.learning &&
      `still learning: the next training starts at ${describeLearning(live.learning)}`,
    ...(live ? describeLive(context, live) : ["not live"]),
    live && describeSeries(model.state.series),
  ];
  return [
    ...lines.flatMap((line) => (line ? [clean(line)] : [])),
    ...(shown.length > 0 ? ["", ...renderEvaluations(context, shown).split("\n")] : []),
  ];
}

function describeState({ settings, state, live }: Model): string {
  if (!state.trained && live?.learning)
    return `${settings.name} is learning: the first training starts at ${describeLearning(live.learning)}`;
  if (!state.trained)
    return `${settings.name} is not trained: torus train-model ${settings.name} --from DATE`;
  const { loss, span, points, confidence } = state;
  const parts = [
    points !== undefined && `${formatNumber(points)} points`,
    span !== undefined && `span ${formatNumber(span)}`,
    loss !== undefined && `loss ${formatNumber(loss)}`,
    confidence !== undefined && `confidence ${confidence}`,
  ];
  return `${settings.name} is trained: ${parts.filter(Boolean).join(", ")}`;
}

/** `series: 40 watched, 2 anomalous` */
function describeSeries(series: FleetStateView | undefined): string | undefined {
  if (!series) return undefined;
  const { advice, ...counts } = series;
  const shown = Object.entries(counts).flatMap(([state, n]) => (n > 0 ? [`${n} ${state}`] : []));
  return `series: ${shown.join(", ") || "none yet"}${advice ? `; ${advice}` : ""}`;
}

/** `30 points, 12 are there` */
function describeLearning({ points, needed }: NonNullable<LiveStateView["learning"]>): string {
  return `${formatNumber(needed)} points, ${formatNumber(points)} are there`;
}

function describeThresholds(thresholds: ThresholdsView | undefined): string | undefined {
  if (!thresholds) return undefined;
  const { max, min, source } = thresholds;
  const origin = source === undefined ? "" : ` (${source})`;
  return `thresholds: ${formatScore(max)} starts an anomaly, ${formatScore(min)} ends it${origin}`;
}

function describeFalseAlarms(falseAlarms: FalseAlarmsView | undefined): string | undefined {
  if (!falseAlarms) return undefined;
  const { asked, seen, judged_false: judged, weeks } = falseAlarms;
  const raised = `${formatNumber(seen)} a week in ${formatNumber(weeks)} weeks`;
  return `anomalies: ${raised}, ${formatNumber(judged)} judged false; ${formatNumber(asked)} expected of normal data`;
}

function describeLive({ times }: Context, live: LiveStateView): (string | undefined)[] {
  const { started, last_window: last, lag, failures = 0, last_error: error, anomaly, drift } = live;
  const at = (seconds: number | null | undefined) => `${times.format(seconds).slice(0, 19)} ${times.zone}`;
  const looked = typeof last === "number" ? `, last interval ${at(last)}` : ", no interval yet";
  const late = typeof lag === "number" ? `, lag ${formatSpan(lag * 1000)}` : "";
  return [
    `live since ${at(started)}${looked}${late}`,
    anomaly &&
      `an anomaly is ongoing since ${at(anomaly.start)}, score ${formatScore(anomaly.score)}: ${Object.keys(anomaly.features).join(", ")}`,
    live.silence && `no points since ${at(live.silence.since)}`,
    ...(live.forecasts ?? []).map((forecast) => describeForecast(forecast, at)),
    drift && `the data of ${drift.feature} has changed since ${at(drift.since)}: retrain the model`,
    failures > 0 && error
      ? `failed ${failures} times in a row, last at ${at(error.timestamp)}: ${error.message}`
      : undefined,
  ];
}

/** `used is forecast above 95 from ... on (band: ... to ...); hooks were notified` */
function describeForecast(
  { feature, type, threshold, first, earliest, latest, active, error }: WatchedForecast,
  at: (seconds: number) => string,
): string {
  const what = `${type === "high" ? "above" : "below"} ${threshold}`;
  if (error !== undefined) return `the forecast of ${feature} ${what} failed: ${error}`;
  if (first === undefined) return `${feature} is not forecast ${what}`;
  const to = latest === undefined ? "later than the forecast" : at(latest);
  const band = earliest === undefined ? "" : ` (band: ${at(earliest)} to ${to})`;
  return `${feature} is forecast ${what} from ${at(first)} on${band}${active ? "; hooks were notified" : ""}`;
}

function renderEvaluations(context: Context, evaluations: NonNullable<LiveStateView["evaluations"]>): string {
  return renderTable(
    evaluations,
    [
      instantColumn(context, "INTERVAL", { at: ({ window }) => window, isWhole: true }),
      instantColumn(context, "EVALUATED", { at: ({ timestamp }) => timestamp, isWhole: true }),
      { title: "OUTCOME", value: ({ outcome }) => outcome.replace("_", " ") },
      { title: "SCORE", align: "right", value: ({ score }) => formatScore(score) },
      { title: "", value: ({ error }) => error ?? "" },
    ],
    { colour: false },
  );
}
