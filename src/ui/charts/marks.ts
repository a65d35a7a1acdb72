// Marks of time charts beside the series: anomalies, labels, thresholds.
import type { AnomalyView } from "../../api/anomaly.ts";
import type { ChartData } from "../state/chart/series.ts";
import { type Colors, drawStraight, type Plot, readColors } from "./paint.ts";

/** CSS pixels of the strip of labels. */
const LABEL_HEIGHT = 5;

/** Colours by their names in the style sheet. */
const names = {
  text: "ink-3",
  grid: "line",
  ground: "surface",
  observed: "observed",
  expected: "expected",
  band: "band",
  anomaly: "anomaly",
  dismissed: "ink-3",
  confirmed: "confirmed",
  change: "ink-2",
} as const;
export type ChartColors = Colors<keyof typeof names>;

interface Coloured {
  readonly colors: ChartColors;
}

export type ShadedAnomaly = Pick<AnomalyView, "id" | "start" | "end" | "feedback">;

export const readChartColors = (element: Element): ChartColors => readColors(element, names);

/** Ground in the colour of anomalies, with a bar on top. */
export function shadeAnomalies(
  { ctx, left, right, top, bottom, from, to, x }: Plot,
  anomalies: readonly ShadedAnomaly[],
  chosen: string | undefined,
  { colors }: Coloured,
): void {
  for (const { id, start, end, feedback } of anomalies) {
    const [first, last] = [x(Math.max(start, from)), x(Math.min(end ?? to, to))];
    if (last < left || first > right) continue;
    const width = Math.max(2, last - first);
    ctx.fillStyle = feedback?.anomaly === false ? colors.dismissed : colors.anomaly;
    ctx.globalAlpha = id === chosen ? 0.3 : 0.14;
    ctx.fillRect(first, top, width, bottom - top);
    ctx.globalAlpha = 1;
    ctx.fillRect(first, top, width, 4);
  }
}

/** Upright lines, dashed. */
export function drawChanges(
  plot: Plot,
  changes: readonly { readonly at: number }[],
  { colors }: Coloured,
): void {
  const { left, right, top, bottom, x } = plot;
  for (const { at } of changes) {
    const px = Math.round(x(at)) + 0.5;
    if (px >= left && px <= right)
      drawStraight(plot, [px, top, px, bottom], { color: colors.change, dash: [2, 3] });
  }
}

/** A strip at the foot: anomalous stretches solid, normal ones hatched. */
export function drawLabels(
  { ctx, left, right, bottom, x }: Plot,
  labels: ChartData["labels"],
  { colors }: Coloured,
): void {
  for (const { from, to, anomaly } of labels) {
    const [start, end] = [Math.max(left, x(from)), Math.min(right, x(to))];
    if (end < left || start > right) continue;
    const width = Math.max(2, end - start);
    ctx.fillStyle = anomaly ? colors.confirmed : colors.dismissed;
    const gap = anomaly ? 0 : LABEL_HEIGHT;
    for (let px = start; px < start + width; px += LABEL_HEIGHT + gap)
      ctx.fillRect(px, bottom - LABEL_HEIGHT, Math.min(LABEL_HEIGHT, start + width - px), LABEL_HEIGHT);
  }
}

/** Two lines with their scores: where anomalies start, and dashed where they end. */
export function drawThresholds(
  plot: Plot,
  { min, max }: ChartData["thresholds"],
  { colors }: Coloured,
): void {
  const { ctx, left, right, y } = plot;
  const color = colors.anomaly;
  drawStraight(plot, [left, y(max), right, y(max)], { color });
  drawStraight(plot, [left, y(min), right, y(min)], { color, dash: [4, 4] });
  ctx.fillStyle = colors.text;
  ctx.textAlign = "right";
  // A rim of the ground keeps the numbers readable over the scores.
  ctx.strokeStyle = colors.ground;
  ctx.lineWidth = 4;
  for (const score of [max, min]) {
    const place = [score.toFixed(0), right - 4, y(score) - LABEL_HEIGHT - 3] as const;
    ctx.strokeText(...place);
    ctx.fillText(...place);
  }
}
