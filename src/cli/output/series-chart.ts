// Terminal charts of series from the server: observed, expected, band, anomalies.
import { renderChart } from "../chart/chart.ts";
import type { MarkRow, TimeSpan } from "../chart/layout.ts";
import type { SeriesResult } from "../client/views.ts";
import type { Context } from "../command/command.ts";
import { featuresOf } from "./series.ts";

const MAX_WIDTH = 160;
const PLAIN_WIDTH = 100;
const HEIGHT = 14;

/** Renders a chart as wide as the terminal allows. */
export function drawChart(context: Context, input: Parameters<typeof renderChart>[0]): string {
  const width = Math.min(MAX_WIDTH, context.terminal.columns ?? PLAIN_WIDTH);
  return renderChart(
    { offsetAt: context.times.offsetAt, ...input },
    { width, height: HEIGHT, colour: context.colour },
  );
}

/** Renders one chart per feature, or that of the named one. */
export function drawSeries(context: Context, result: SeriesResult, feature?: string): string {
  const names = feature === undefined ? featuresOf(result) : [feature];
  const charts = names.map(
    (name) => `${titleOf(context, result, name)}\n${drawFeature(context, result, name)}`,
  );
  return charts.join("\n\n");
}

function titleOf({ times }: Context, { predicted }: SeriesResult, name: string): string {
  const title = `${name} (${times.zone})`;
  return predicted ? `${title}: line observed, dots expected, shade the band` : title;
}

function drawFeature(context: Context, result: SeriesResult, name: string): string {
  const { timestamps: times, observed, predicted, units, stats, live } = result;
  const marks: MarkRow[] = [
    ...(stats ? [{ name: "anomaly", spans: findFlagged(times, stats, name), flags: true }] : []),
    ...(live ? [{ name: "live", spans: findRecorded(times, live, name) }] : []),
  ];
  return drawChart(context, {
    times,
    observed: observed[name] ?? [],
    unit: units?.[name],
    marks,
    ...(predicted && {
      expected: predicted[name] ?? [],
      band: { lower: predicted[`lower_${name}`] ?? [], upper: predicted[`upper_${name}`] ?? [] },
    }),
  });
}

/** Spans of the recorded anomalies of a feature, within the chart. */
export function findRecorded(
  times: readonly number[],
  live: NonNullable<SeriesResult["live"]>,
  feature: string,
): TimeSpan[] {
  const step = times.length > 1 ? times[1]! - times[0]! : 1;
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  return live
    .filter(({ features }) => Object.hasOwn(features, feature))
    .map(({ start, end }) => {
      const from = Math.max(first, start);
      return { from, to: Math.max(from + step, Math.min(last + step, end ?? Number.POSITIVE_INFINITY)) };
    });
}

/** Spans of adjacent flagged instants to which the feature contributed. */
export function findFlagged(
  times: readonly number[],
  stats: NonNullable<SeriesResult["stats"]>,
  feature: string,
): TimeSpan[] {
  const step = times.length > 1 ? times[1]! - times[0]! : 1;
  const spans: { from: number; to: number }[] = [];
  let involved: readonly string[] = [];
  for (const [i, from] of times.entries()) {
    const stat = stats[i];
    if (!stat?.anomaly) involved = [];
    else if (stat.anomalies) {
      // While an episode fades no feature exceeds the threshold: the last contributing ones remain.
      const named = Object.keys(stat.anomalies);
      if (named.length > 0) involved = named;
    } else involved = [feature];
    if (!involved.includes(feature)) continue;
    const last = spans.at(-1);
    if (last?.to === from) last.to = from + step;
    else spans.push({ from, to: from + step });
  }
  return spans;
}
