// Report of a backtest: episodes, thresholds, and their match with the labels.
import type { BacktestView } from "../../api/backtest.ts";
import type { TimeSpan } from "../chart/layout.ts";
import type { Context } from "../command/command.ts";
import { formatNumber, formatScore } from "../terminal/format.ts";
import { formatSpan } from "../terminal/progress.ts";
import { type Column, renderTable } from "../terminal/table.ts";
import { drawChart } from "./series-chart.ts";

/** Renders the report, in sections. */
export function renderBacktest(context: Context, result: BacktestView): string {
  const { trained, evaluated, thresholds, episodes } = result;
  const { times } = context;
  const range = ({ from, to }: TimeSpan) => `${times.format(from)} to ${times.format(to)} ${times.zone}`;
  const sections = [
    [
      `trained on    ${range(trained)}: ${trained.points} points, span ${trained.span}`,
      `evaluated on  ${range(evaluated)}: ${evaluated.scored} of ${evaluated.points} points scored`,
      `thresholds    ${formatScore(thresholds.max)} starts, ${formatScore(thresholds.min)} ends an anomaly`,
    ].join("\n"),
    drawScores(context, result),
    episodes.length > 0 ? renderEpisodes(context, result) : "no anomalies",
    renderThresholds(context, result),
    [describeLabels(result), describeChoice(result)].filter(Boolean).join("\n"),
  ];
  return sections.filter(Boolean).join("\n\n");
}

function renderEpisodes(context: Context, { episodes }: BacktestView): string {
  const { times } = context;
  const rows = episodes.flatMap((episode) =>
    Object.entries(episode.features).map(([feature, report], i) => ({
      episode,
      feature,
      report,
      first: i === 0,
    })),
  );
  type Row = (typeof rows)[number];
  const once = (value: (episode: BacktestView["episodes"][number]) => string) => (row: Row) =>
    row.first ? value(row.episode) : "";
  const columns: Column<Row>[] = [
    { title: `START (${times.zone})`, value: once(({ start }) => times.format(start)) },
    {
      title: `END (${times.zone})`,
      value: once(({ end }) => (end === null ? "ongoing" : times.format(end))),
    },
    { title: "PEAK", align: "right", value: once((episode) => formatScore(episode.peak_score)) },
    { title: "FEATURE", value: ({ feature }) => feature },
    { title: "EXPECTED", align: "right", value: ({ report }) => formatNumber(report.predicted) },
    { title: "OBSERVED", align: "right", value: ({ report }) => formatNumber(report.observed) },
    { title: "", value: once(({ label }) => (label === undefined ? "" : label ? "true" : "false alarm")) },
  ];
  return renderTable(rows, columns, context);
}

function renderThresholds(
  context: Context,
  { alerts_per_week: rows, thresholds, labels }: BacktestView,
): string {
  const share = (
    title: string,
    key: "precision" | "recall" | "f1",
  ): Column<BacktestView["alerts_per_week"][number]> => ({
    title,
    align: "right",
    value: (row) => formatNumber(round(row[key])),
  });
  const columns: Column<BacktestView["alerts_per_week"][number]>[] = [
    { title: "THRESHOLD", align: "right", value: (row) => formatNumber(round(row.max_threshold, 1)) },
    { title: "EPISODES", align: "right", value: (row) => String(row.episodes) },
    { title: "PER WEEK", align: "right", value: (row) => row.per_week.toFixed(2) },
    ...(labels ? [share("PRECISION", "precision"), share("RECALL", "recall"), share("F1", "f1")] : []),
    { title: "", value: (row) => (row.max_threshold === thresholds.max ? "effective" : "") },
  ];
  return renderTable(rows, columns, context);
}

function round(value: number | undefined, digits = 2): number | undefined {
  return value === undefined ? undefined : Number(value.toFixed(digits));
}

function describeLabels({ labels }: BacktestView): string {
  if (!labels) return "";
  const { source, count, found, delay_seconds_median: delay, precision, recall, f1 } = labels;
  const quality = [
    `precision ${formatNumber(round(precision))}`,
    `recall ${formatNumber(round(recall))}`,
    `F1 ${formatNumber(round(f1))}`,
  ];
  const late = delay === undefined ? "" : `, half of them within ${formatSpan(delay * 1000)}`;
  const origin = source === "feedback" ? " from feedback" : "";
  return `${found} of ${count} labels${origin} found${late}: ${quality.join(", ")}`;
}

function describeChoice({ best, suggestion }: BacktestView): string {
  const lines = [
    best &&
      `best F1, ${formatNumber(round(best.f1))}, with max_threshold ${formatNumber(best.max_threshold)}`,
    suggestion &&
      `for at most ${suggestion.expected_false_alarms} false alarms a week: max_threshold ${formatNumber(suggestion.max_threshold)}`,
  ];
  return lines.filter(Boolean).join("\n");
}

function drawScores(context: Context, { scores, episodes, evaluated, labels }: BacktestView): string {
  if (!scores) return "";
  const spans = episodes.map(({ start, end }) => ({ from: start, to: end ?? evaluated.to }));
  const missed = labels?.missed.length ? [{ name: "missed", spans: labels.missed }] : [];
  const marks = [{ name: "anomaly", spans, flags: true }, ...missed];
  return `score (${context.times.zone})\n${drawChart(context, { times: scores.timestamps, observed: scores.score, marks })}`;
}
