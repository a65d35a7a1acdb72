// Rows of the live view: the state of each model, worst first.
import type { AnomalyView } from "../../api/anomaly.ts";
import type { LiveStateView } from "../../api/live.ts";
import { describeValues } from "../../core/anomaly/reports/values-text.ts";
import { formatSpan } from "../../core/formats/readable.ts";
import { hasNoData } from "../../core/model/model-state.ts";
import type { Model } from "../client/views.ts";
import { secondsOf } from "../terminal/format.ts";

/** In the order of the view. */
export const topStates = [
  "anomaly",
  "failing",
  "no data",
  "late",
  "untrained",
  "learning",
  "training",
  "live",
  "stopped",
] as const;
export type TopState = (typeof topStates)[number];

export interface TopRow {
  readonly model: string;
  readonly state: TopState;
  /** Of the newest evaluation, 0..100. */
  readonly score: number | null;
  readonly threshold: number | null;
  /** Scores of the last evaluations, oldest first; null without a score. */
  readonly scores: readonly (number | null)[];
  /** Start of the state in seconds; null if unknown. */
  readonly since: number | null;
  readonly remark: string;
  /** The newest of the last days; null without one. Seconds since the epoch. */
  readonly last_anomaly: Pick<AnomalyView, "start" | "end" | "peak_score"> | null;
}

/** Lag in intervals up to which a model is not late. */
const MAX_LAG_INTERVALS = 3;
const MIN_LATE_LAG_S = 30;

/** Rows of models, see `sortRows`. */
export function toRows(models: readonly Model[], anomalies: readonly AnomalyView[] = []): TopRow[] {
  const newest = new Map<string, AnomalyView>();
  for (const anomaly of anomalies)
    if (!((newest.get(anomaly.model)?.start ?? 0) > anomaly.start)) newest.set(anomaly.model, anomaly);
  return sortRows(models.map((model) => toRow(model, newest.get(model.settings.name))));
}

/** The worst state first, within a state by falling score, then by name. */
export function sortRows(rows: readonly TopRow[]): TopRow[] {
  const rank = ({ state }: TopRow) => topStates.indexOf(state);
  return rows.toSorted(
    (a, b) => rank(a) - rank(b) || (b.score ?? -1) - (a.score ?? -1) || a.model.localeCompare(b.model),
  );
}

function toRow(model: Model, newest: AnomalyView | undefined): TopRow {
  const { settings, state, live } = model;
  const evaluations = live?.evaluations ?? [];
  return {
    model: settings.name,
    score: evaluations[0]?.score ?? live?.anomaly?.score ?? null,
    threshold: state.thresholds?.max ?? null,
    scores: evaluations.map(({ score }) => score).reverse(),
    ...judge(model),
    last_anomaly: newest ? { start: newest.start, end: newest.end, peak_score: newest.peak_score } : null,
  };
}

type Judgement = Pick<TopRow, "state" | "since" | "remark">;

/** What is wrong comes first. */
function judge(model: Model): Judgement {
  const { state, live, training } = model;
  const isTraining = training?.state === "running" || training?.state === "waiting";
  const trouble = judgeTrouble(model);
  if (trouble) return trouble;
  if (isTraining) return { state: "training", since: null, remark: "" };
  if (live?.evaluations?.[0]?.outcome === "no_data")
    return { state: "no data", since: noDataSince(live.evaluations), remark: "" };
  if (live?.learning && !state.trained) {
    const { points, needed } = live.learning;
    return { state: "learning", since: live.started ?? null, remark: `${points} of ${needed} points` };
  }
  if (live && isLate(model))
    return { state: "late", since: live.last_window ?? null, remark: `lag ${live.lag} s` };
  if (live)
    return {
      state: "live",
      since: live.started ?? null,
      remark: [remarkSeries(state), ...remarkForecasts(live), live.drift && "drift: retrain the model"]
        .filter(Boolean)
        .join("; "),
    };
  if (state.trained) return { state: "stopped", since: null, remark: "" };
  const remark = training?.state === "failed" ? "training failed" : "";
  return { state: "untrained", since: null, remark };
}

/** An anomaly, a failure or silence; undefined without any. */
function judgeTrouble(model: Model): Judgement | undefined {
  const { state, live } = model;
  if (live?.anomaly)
    return {
      state: "anomaly",
      since: live.anomaly.start,
      remark: Object.entries(live.anomaly.features)
        .map(([name, report]) => `${name} ${describeValues(report)}`)
        .join(", "),
    };
  const anomalous = live ? (state.series?.anomalous ?? 0) : 0;
  if (anomalous > 0) return { state: "anomaly", since: null, remark: `${anomalous} series` };
  if (live && (live.failures ?? 0) > 0)
    return {
      state: "failing",
      since: live.last_error?.timestamp ?? null,
      remark: live.last_error?.message ?? "",
    };
  if (hasNoData(model)) {
    const remark = live?.silence ? "silent" : remarkSeries(state);
    return { state: "no data", since: live?.silence?.since ?? null, remark };
  }
  return undefined;
}

/** `3 series silent`; empty without any. */
function remarkSeries({ series }: Model["state"]): string {
  return series && series.silent > 0 ? `${series.silent} series silent` : "";
}

/** `used above 95 in 5 d 4 h`, counted from the forecast. */
function remarkForecasts({ forecasts = [] }: LiveStateView): string[] {
  return forecasts.flatMap(({ feature, type, threshold, made, first, active }) =>
    active && first !== undefined
      ? [
          `${feature} ${type === "high" ? "above" : "below"} ${threshold} in ${formatSpan((first - made) * 1000)}`,
        ]
      : [],
  );
}

/** Window of the first evaluation of the current run without data. */
function noDataSince(evaluations: NonNullable<LiveStateView["evaluations"]>): number {
  const first = evaluations.findIndex(({ outcome }) => outcome !== "no_data");
  return (first < 0 ? evaluations.at(-1)! : evaluations[first - 1]!).window;
}

function isLate({ settings, state, live }: Model): boolean {
  const { lag } = live ?? {};
  if (typeof lag !== "number") return false;
  const interval = state.bucket_interval ?? readInterval(settings.bucket_interval);
  return lag > Math.max(MIN_LATE_LAG_S, MAX_LAG_INTERVALS * interval);
}

function readInterval(interval: string | number | undefined): number {
  return interval === undefined || interval === "auto" ? 0 : secondsOf(interval);
}
