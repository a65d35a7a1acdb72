// Tool `detect_points`: anomalies in the points of the request; nothing is stored.
import type { DetectionView, EntireView, LastView } from "../../api/detection.ts";
import { describeRun, runAt } from "../../core/anomaly/long-run.ts";
import { isRecord } from "../../core/input/json.ts";
import { DetectBody } from "../../resources/detections/series-request.ts";
import { defineTool, type ToolResult } from "../tool.ts";
import { countOf, isoOf, roundAll } from "../views/values.ts";

/** Anomalous points of an answer. */
const MAX_SHOWN = 50;

export const detectPoints = defineTool({
  name: "detect_points",
  title: "Detect anomalies in given points",
  description:
    "Finds anomalies in the points of the request, at least 12, better 100 or more; no model is needed and nothing is " +
    "stored. The answer has the anomalous points with value, expected value, band, score and severity, by their " +
    `index in \`series\`; of more than ${MAX_SHOWN} those with the highest scores. With \`mode: last\` it judges the last point alone.`,
  scope: "read",
  effect: "none",
  isIdempotent: true,
  input: DetectBody,
  isCheckedByResource: true,
  run: async (input, { detections, jobs, deadlineMs, signal }) => {
    const work = await detections.detect(input, { signal });
    const view = "answer" in work ? work.answer : await jobs.wait(work.jobId, { deadlineMs, signal });
    const { series } = input as { readonly series: readonly PointInput[] };
    return show(view as DetectionView, series);
  },
});

interface PointInput {
  readonly timestamp?: string | number;
  readonly value: number;
}

function show(view: DetectionView, series: readonly PointInput[]): ToolResult {
  return isEntire(view) ? showEntire(view, series) : showLast(view, series.at(-1)!);
}

function isEntire(view: DetectionView): view is EntireView {
  return isRecord(view) && "expectedValues" in view;
}

function showEntire(view: EntireView, series: readonly PointInput[]): ToolResult {
  const { period, missing, isAnomaly, scores } = view;
  const found = [...isAnomaly.keys()].filter((i) => isAnomaly[i]);
  const highest = found.sort((a, b) => scores[b]! - scores[a]!).slice(0, MAX_SHOWN);
  const left = found.length - highest.length;
  const points = highest.sort((a, b) => a - b).map((index) => ({ index, ...showPoint(view, series, index) }));
  return {
    summary: `${found.length} of ${countOf(series.length, "point")} anomalous${left > 0 ? `, ${left} left out` : ""}; ${describePeriod(period)}.`,
    data: {
      points: series.length,
      missing_intervals: missing,
      period,
      anomalous: found.length,
      anomalies: points,
      left_out: left,
    },
  };
}

function showPoint(view: EntireView, series: readonly PointInput[], i: number): object {
  const expected = view.expectedValues[i]!;
  const run = runAt(view.runs, i);
  return roundAll({
    ...describeInput(series[i]!),
    ...(run && { reason: describeRun(run) }),
    direction: view.isPositiveAnomaly[i] ? "high" : "low",
    expected,
    band: [expected - view.lowerMargins[i]!, expected + view.upperMargins[i]!],
    score: view.scores[i]!,
    severity: view.severity[i]!,
  });
}

function showLast(view: LastView, last: PointInput): ToolResult {
  const { expectedValue: expected, isAnomaly, isPositiveAnomaly, period, missing } = view;
  const verdict = isAnomaly ? `an anomaly, too ${isPositiveAnomaly ? "high" : "low"}` : "normal";
  return {
    summary: `The last point is ${verdict}; ${describePeriod(period)}.`,
    data: roundAll({
      ...describeInput(last),
      is_anomaly: isAnomaly,
      ...(isAnomaly && { direction: isPositiveAnomaly ? "high" : "low" }),
      ...(view.run && { reason: describeRun(view.run) }),
      expected,
      band: [expected - view.lowerMargin, expected + view.upperMargin],
      score: view.score,
      severity: view.severity,
      period,
      missing_intervals: missing,
    }),
  };
}

function describeInput({ timestamp, value }: PointInput) {
  return {
    ...(timestamp !== undefined && { time: typeof timestamp === "number" ? isoOf(timestamp) : timestamp }),
    value,
  };
}

function describePeriod(period: number): string {
  return period === 0 ? "the series does not repeat itself" : `it repeats itself after ${period} intervals`;
}
