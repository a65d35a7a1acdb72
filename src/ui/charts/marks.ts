// Marks of time charts beside the series: anomalies, labels, thresholds; drawn on the canvas of the chart.
import type uPlot from "uplot";
import type { AnomalyView } from "../../api/anomaly.ts";
import type { ChartData } from "../state/series.ts";

/** CSS pixels of the strip of labels. */
const LABEL_HEIGHT = 5;

export interface ChartColors {
  readonly text: string;
  readonly grid: string;
  readonly observed: string;
  readonly expected: string;
  readonly band: string;
  readonly anomaly: string;
  readonly dismissed: string;
  readonly confirmed: string;
}

interface Coloured {
  readonly colors: ChartColors;
}

export type ShadedAnomaly = Pick<AnomalyView, "id" | "start" | "end" | "feedback">;

/** Colours of the style sheet, which follow the theme. */
export function readColors(element: Element): ChartColors {
  const style = getComputedStyle(element);
  const read = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    text: read("ink-3"),
    grid: read("line"),
    observed: read("observed"),
    expected: read("expected"),
    band: read("band"),
    anomaly: read("anomaly"),
    dismissed: read("ink-3"),
    confirmed: read("confirmed"),
  };
}

/** Ground in the colour of anomalies, with a bar on top. */
export function shadeAnomalies(
  plot: uPlot,
  anomalies: readonly ShadedAnomaly[],
  chosen: string | undefined,
  { colors }: Coloured,
): void {
  const { ctx, bbox } = plot;
  const { min, max } = plot.scales.x!;
  ctx.save();
  for (const { id, start, end, feedback } of anomalies) {
    const from = plot.valToPos(Math.max(start, min!), "x", true);
    const to = plot.valToPos(Math.min(end ?? max!, max!), "x", true);
    if (to < bbox.left || from > bbox.left + bbox.width) continue;
    const width = Math.max(2, to - from);
    ctx.fillStyle = feedback?.anomaly === false ? colors.dismissed : colors.anomaly;
    ctx.globalAlpha = id === chosen ? 0.3 : 0.14;
    ctx.fillRect(from, bbox.top, width, bbox.height);
    ctx.globalAlpha = 1;
    ctx.fillRect(from, bbox.top, width, 4);
  }
  ctx.restore();
}

/** A strip at the foot: anomalous stretches solid, normal ones hatched. */
export function drawLabels(plot: uPlot, labels: ChartData["labels"], { colors }: Coloured): void {
  const { ctx, bbox } = plot;
  const [left, right] = [bbox.left, bbox.left + bbox.width];
  const height = LABEL_HEIGHT * devicePixelRatio;
  const top = bbox.top + bbox.height - height;
  ctx.save();
  for (const { from, to, anomaly } of labels) {
    const start = Math.max(left, plot.valToPos(from, "x", true));
    const end = Math.min(right, plot.valToPos(to, "x", true));
    if (end < left || start > right) continue;
    const width = Math.max(2, end - start);
    ctx.fillStyle = anomaly ? colors.confirmed : colors.dismissed;
    const gap = anomaly ? 0 : height;
    for (let x = start; x < start + width; x += height + gap)
      ctx.fillRect(x, top, Math.min(height, start + width - x), height);
  }
  ctx.restore();
}

/** Two lines: where anomalies start, and dashed where they end. */
export function drawThresholds(
  plot: uPlot,
  { min, max }: ChartData["thresholds"],
  { colors }: Coloured,
): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = colors.anomaly;
  for (const [value, dash] of [
    [max, []],
    [min, [4, 4]],
  ] as const) {
    const y = plot.valToPos(value, "y", true);
    ctx.setLineDash([...dash]);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
  }
  ctx.restore();
}
