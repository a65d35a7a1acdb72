// The end of show-model: thresholds in force, a failed training, the live state, and the last evaluations.
import type { Context } from "../command/command.ts";
import { formatNumber, formatScore } from "../terminal/format.ts";
import { formatSpan } from "../terminal/progress.ts";
import { clean, renderTable } from "../terminal/table.ts";
import { instantColumn } from "./present.ts";

export interface Evaluation {
  /** Start of the interval, seconds. */
  readonly window: number;
  /** When it was evaluated, seconds. */
  readonly timestamp: number;
  readonly outcome: string;
  readonly score: number | null;
  readonly error?: string | { readonly message?: string };
}

export interface LiveState {
  /** Seconds. */
  readonly started?: number;
  readonly last_window?: number | null;
  readonly lag?: number | null;
  readonly failures?: number;
  readonly missed?: number;
  readonly last_error?: { readonly message: string; readonly timestamp: number };
  readonly anomaly?: { readonly start: number; readonly score: number; readonly features: object };
  readonly drift?: { readonly feature: string; readonly since: number };
  /** Newest first. */
  readonly evaluations?: readonly Evaluation[];
}

export interface Thresholds {
  readonly max: number;
  readonly min: number;
  readonly source?: string;
}

export interface SummarizedModel {
  readonly settings: { readonly name: string };
  readonly state: {
    readonly trained: boolean;
    readonly loss?: number;
    readonly span?: number;
    readonly points?: number;
    readonly thresholds?: Thresholds;
  };
  readonly training?: { readonly job_id?: string; readonly state: string };
  readonly live?: LiveState;
}

export interface SummaryOptions {
  /** Evaluations to show, the newest. */
  readonly evaluations: number;
  /** Why the last training failed. */
  readonly trainingError?: string | undefined;
}

/** Lines of the summary, without a mark of their own. */
export function summarizeModel(
  context: Context,
  model: SummarizedModel,
  { evaluations, trainingError }: SummaryOptions,
): string[] {
  const { live } = model;
  const shown = (live?.evaluations ?? []).slice(0, evaluations);
  const lines = [
    describeState(model),
    describeThresholds(model.state.thresholds),
    trainingError && `the last training failed: ${trainingError}`,
    model.training?.state === "running" && "a training runs",
    ...(live ? describeLive(context, live) : ["not live"]),
  ];
  return [
    ...lines.flatMap((line) => (line ? [clean(line)] : [])),
    ...(shown.length > 0 ? ["", ...renderEvaluations(context, shown).split("\n")] : []),
  ];
}

function describeState({ settings, state }: SummarizedModel): string {
  if (!state.trained)
    return `${settings.name} is not trained: torus train-model ${settings.name} --from DATE`;
  const { loss, span, points } = state;
  const parts = [
    points !== undefined && `${formatNumber(points)} points`,
    span !== undefined && `span ${formatNumber(span)}`,
    loss !== undefined && `loss ${formatNumber(loss)}`,
  ];
  return `${settings.name} is trained: ${parts.filter(Boolean).join(", ")}`;
}

function describeThresholds(thresholds: Thresholds | undefined): string | undefined {
  if (!thresholds) return undefined;
  const { max, min, source } = thresholds;
  const origin = source === undefined ? "" : ` (${source})`;
  return `thresholds: ${formatScore(max)} starts an anomaly, ${formatScore(min)} ends it${origin}`;
}

function describeLive({ times }: Context, live: LiveState): (string | undefined)[] {
  const { started, last_window: last, lag, failures = 0, last_error: error, anomaly, drift } = live;
  const at = (seconds: number | null | undefined) => `${times.format(seconds).slice(0, 19)} ${times.zone}`;
  const looked = typeof last === "number" ? `, last interval ${at(last)}` : ", no interval yet";
  const late = typeof lag === "number" ? `, lag ${formatSpan(lag * 1000)}` : "";
  return [
    `live since ${at(started)}${looked}${late}`,
    anomaly &&
      `an anomaly goes on since ${at(anomaly.start)}, score ${formatScore(anomaly.score)}: ${Object.keys(anomaly.features).join(", ")}`,
    drift && `the data of ${drift.feature} have changed since ${at(drift.since)}: train it anew`,
    failures > 0 && error
      ? `failed ${failures} times in a row, last at ${at(error.timestamp)}: ${error.message}`
      : undefined,
  ];
}

function renderEvaluations(context: Context, evaluations: readonly Evaluation[]): string {
  return renderTable(
    evaluations,
    [
      instantColumn(context, "INTERVAL", { at: ({ window }) => window, isWhole: true }),
      instantColumn(context, "EVALUATED", { at: ({ timestamp }) => timestamp, isWhole: true }),
      { title: "OUTCOME", value: ({ outcome }) => outcome.replace("_", " ") },
      { title: "SCORE", align: "right", value: ({ score }) => formatScore(score) },
      { title: "", value: ({ error }) => (typeof error === "string" ? error : (error?.message ?? "")) },
    ],
    { colour: false },
  );
}
