// Reports of detect and forecast: charts and tables for people, one line per point for programs.
import type { EntireView, SeriesForecastView } from "../../api/detection.ts";
import { describeRun, runAt } from "../../core/anomaly/long-run.ts";
import type { Context } from "../command/command.ts";
import type { CsvColumn } from "../input/csv-columns.ts";
import { countOf, formatNumber } from "../terminal/format.ts";
import { type Column, renderTable } from "../terminal/table.ts";
import { renderExplanation } from "./forecast-explanation.ts";
import { answerTable, instantColumn } from "./present.ts";
import { drawChart } from "./series-chart.ts";

export interface Analysed<T> {
  readonly column: CsvColumn;
  readonly result: T;
}

/** History drawn before a forecast, in horizons. */
const PAST_HORIZONS = 3;

/** Adjacent points outside the band, or a long run; observed and expected are those of the most extreme one. */
interface Anomaly {
  /** Seconds since the epoch, `end` exclusive. */
  readonly start: number;
  readonly end: number;
  readonly observed: number;
  readonly expected: number;
  /** Distance from the expected value, in half-widths of the band; above 1 outside of a long run. */
  readonly factor: number;
  /** What is odd about a long run, in words. */
  readonly reason?: string;
}

/** Prints the anomalies of each column. */
export function answerDetections(context: Context, found: readonly Analysed<EntireView>[]): void {
  if (isSeparated(context)) answerPoints(context, found);
  else answerAnomalies(context, found);
}

function answerAnomalies(context: Context, found: readonly Analysed<EntireView>[]): void {
  const all = found.map((each) => ({ ...each, anomalies: findAnomalies(each) }));
  const documents = all.map(({ column, result, anomalies }) => ({
    series: column.name,
    timestamps: column.times,
    observed: column.values,
    ...result,
    anomalies,
  }));
  context.answer(documents, () => {
    if (context.globals.quiet)
      return all
        .flatMap(({ anomalies }) => anomalies.map(({ start }) => context.times.iso(start)))
        .join("\n");
    return all.map((each) => renderDetection(context, each)).join("\n\n");
  });
}

function renderDetection(
  context: Context,
  { column, result, anomalies }: Analysed<EntireView> & { readonly anomalies: readonly Anomaly[] },
): string {
  const { name, times, values } = column;
  const { expectedValues: expected, upperMargins, lowerMargins, period } = result;
  const chart = drawChart(context, {
    times,
    observed: values,
    expected,
    band: {
      lower: expected.map((value, i) => value - lowerMargins[i]!),
      upper: expected.map((value, i) => value + upperMargins[i]!),
    },
    marks: [
      { name: "anomaly", spans: anomalies.map(({ start, end }) => ({ from: start, to: end })), flags: true },
    ],
  });
  const season = period > 0 ? `season of ${countOf(period, "point")}` : "no season";
  const count = countOf(anomalies.length, "anomaly", "anomalies");
  return [
    `${name} (${context.times.zone}): line observed, dots expected, shade the band\n${chart}`,
    ...(anomalies.length > 0 ? [renderTable(anomalies, anomalyColumns(context), context)] : []),
    `${count} in ${countOf(times.length, "point")}; ${season}`,
  ].join("\n\n");
}

function anomalyColumns(context: Context): Column<Anomaly>[] {
  return [
    instantColumn(context, "START", { at: ({ start }) => start }),
    instantColumn(context, "END", { at: ({ end }) => end }),
    { title: "OBSERVED", align: "right", value: ({ observed }) => formatNumber(observed) },
    { title: "EXPECTED", align: "right", value: ({ expected }) => formatNumber(expected) },
    { title: "HOW FAR", align: "right", value: describeDistance },
    { title: "", value: ({ factor, reason }) => reason ?? `${factor.toFixed(1)} x the band` },
  ];
}

function describeDistance({ observed, expected }: Anomaly): string {
  const difference = observed - expected;
  return `${difference > 0 ? "+" : ""}${formatNumber(Number(difference.toPrecision(3)))}`;
}

/** Merges adjacent anomalous points of one direction, or of one long run. */
function findAnomalies({ column: { times, values }, result }: Analysed<EntireView>): Anomaly[] {
  const step = stepOf(times);
  const anomalies: (Anomaly & { readonly last: number; readonly kind: unknown })[] = [];
  for (const [i, start] of times.entries()) {
    if (!result.isAnomaly[i]) continue;
    const [observed, expected] = [values[i]!, result.expectedValues[i]!];
    const isAbove = observed > expected;
    const margin = isAbove ? result.upperMargins[i]! : result.lowerMargins[i]!;
    const factor = Math.abs(observed - expected) / margin;
    const run = runAt(result.runs, i);
    const reason = run && { reason: describeRun(run) };
    const own = {
      start,
      end: start + step,
      observed,
      expected,
      factor,
      ...reason,
      last: i,
      kind: run ?? isAbove,
    };
    const before = anomalies.at(-1);
    if (before?.last !== i - 1 || before.kind !== own.kind) anomalies.push(own);
    else {
      const peak = factor > before.factor ? own : before;
      anomalies[anomalies.length - 1] = { ...peak, start: before.start, end: own.end, last: i };
    }
  }
  return anomalies.map(({ last: _, kind: __, ...anomaly }) => anomaly);
}

/** Median distance between points. */
function stepOf(times: readonly number[]): number {
  const steps = times.slice(1).map((at, i) => at - times[i]!);
  return steps.sort((a, b) => a - b)[steps.length >> 1] ?? 1;
}

/** Prints one line per point: observed, expected, band, score, anomaly. */
function answerPoints(context: Context, found: readonly Analysed<EntireView>[]): void {
  const rows = found.flatMap(({ column, result }) =>
    column.times.map((at, i) => ({ column, result, at, i })),
  );
  type Row = (typeof rows)[number];
  const number = (title: string, raw: (row: Row) => number): Column<Row> => ({
    title,
    raw,
    value: (row) => formatNumber(raw(row)),
  });
  answerTable(context, rows, {
    columns: [
      { title: "SERIES", value: ({ column }) => column.name },
      instantColumn(context, "TIME", { at: ({ at }) => at }),
      number("OBSERVED", ({ column, i }) => column.values[i]!),
      number("EXPECTED", ({ result, i }) => result.expectedValues[i]!),
      number("LOWER", ({ result, i }) => result.expectedValues[i]! - result.lowerMargins[i]!),
      number("UPPER", ({ result, i }) => result.expectedValues[i]! + result.upperMargins[i]!),
      number("SCORE", ({ result, i }) => result.scores[i]!),
      { title: "ANOMALY", value: ({ result, i }) => String(result.isAnomaly[i]) },
    ],
    name: ({ at }) => context.times.iso(at),
    empty: "no points",
  });
}

/** Prints the forecasts of each column. @param level of the first band, in percent */
export function answerForecasts(
  context: Context,
  found: readonly Analysed<SeriesForecastView>[],
  level: number,
): void {
  const { json, quiet } = context.globals;
  if (json) context.answer(found.map(({ column, result }) => ({ series: column.name, level, ...result })));
  else if (quiet || isSeparated(context)) answerForecastRows(context, found);
  else drawForecasts(context, found, level);
}

function drawForecasts(
  context: Context,
  found: readonly Analysed<SeriesForecastView>[],
  level: number,
): void {
  for (const [i, each] of found.entries()) {
    if (i > 0) context.print("");
    context.print(drawForecast(context, each, level));
    context.print("");
    const { explanation } = each.result;
    if (explanation) context.print(`${renderExplanation(context, explanation)}\n`);
    answerForecastRows(context, [each]);
  }
}

function drawForecast(
  context: Context,
  { column, result }: Analysed<SeriesForecastView>,
  level: number,
): string {
  const { predicted, lower, upper, timestamps = [] } = result;
  const shown = -Math.min(column.times.length, PAST_HORIZONS * predicted.length);
  const [times, values] = [column.times.slice(shown), column.values.slice(shown)];
  const none = times.map(() => null);
  const chart = drawChart(context, {
    times: [...times, ...timestamps],
    observed: [...values, ...timestamps.map(() => null)],
    expected: [...none, ...predicted],
    band: { lower: [...none, ...lower], upper: [...none, ...upper] },
  });
  return `${column.name} (${context.times.zone}): line observed, dots forecast, shade ${level} %\n${chart}`;
}

function answerForecastRows(context: Context, found: readonly Analysed<SeriesForecastView>[]): void {
  const rows = found.flatMap(({ column, result }) => result.predicted.map((_, i) => ({ column, result, i })));
  type Row = (typeof rows)[number];
  const number = (title: string, raw: (row: Row) => number | undefined): Column<Row> => ({
    title,
    raw,
    align: "right",
    value: (row) => formatNumber(raw(row)),
  });
  const levels = Object.keys(found[0]?.result.levels ?? {});
  const series: Column<Row>[] = isSeparated(context)
    ? [{ title: "SERIES", value: ({ column }) => column.name }]
    : [];
  answerTable(context, rows, {
    columns: [
      ...series,
      instantColumn(context, "TIME", { at: ({ result, i }) => result.timestamps?.[i] }),
      number("FORECAST", ({ result, i }) => result.predicted[i]),
      number("LOWER", ({ result, i }) => result.lower[i]),
      number("UPPER", ({ result, i }) => result.upper[i]),
      ...levels.flatMap((name) => [
        number(`LOWER ${name}`, ({ result, i }) => result.levels?.[name]?.lower[i]),
        number(`UPPER ${name}`, ({ result, i }) => result.levels?.[name]?.upper[i]),
      ]),
    ],
    name: ({ result, i }) => context.times.iso(result.timestamps?.[i]),
    empty: "nothing to forecast",
  });
}

function isSeparated({ globals: { format } }: Context): boolean {
  return format === "csv" || format === "tsv";
}
