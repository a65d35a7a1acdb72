// Time chart of a forecast: observed values before its start, expected ones with two bands after it.
import type { ForecastColumns, ForecastData } from "../lib/forecast/forecast.ts";
import { type Colors, drawLine, drawStraight, fillBetween, type Plot, readColors } from "./paint.ts";
import { createTimeChart, type TimeChart, type TimeChartOptions } from "./time-chart.ts";

/** CSS pixels above the values, for the label of the start. */
const TOP = 16;

export interface ForecastChartOptions extends Omit<TimeChartOptions, "colors"> {
  /** Levels that are drawn across. */
  readonly thresholds: readonly number[];
  /** Label of the start of the forecast. */
  readonly now: string;
}

/** Colours by their names in the style sheet. */
const names = {
  text: "ink-3",
  grid: "line",
  observed: "observed",
  forecast: "confirmed",
  band: "forecast-band",
  anomaly: "anomaly",
} as const;

/** Draws one feature into an element. */
export function drawForecast(
  element: HTMLElement,
  { times, start }: ForecastData,
  columns: ForecastColumns,
  options: ForecastChartOptions,
): TimeChart {
  const colors = readColors(element, names);
  const { lower, upper, innerLower, innerUpper, past, expected, observed } = columns;
  const drawing = {
    times,
    columns: [lower, upper, past, expected, observed],
    extent: ({ min, max }: Extent) => rangeWith(min, max, options.thresholds),
    drawGround: (plot: Plot) => drawStart(plot, start, colors, options),
    draw: (plot: Plot) => {
      fillBetween(plot, lower, upper, colors.band);
      fillBetween(plot, innerLower, innerUpper, colors.band);
      drawLine(plot, past, { color: colors.forecast, width: 1.5, dash: [2, 4] });
      drawLine(plot, expected, { color: colors.forecast, width: 2 });
      drawLine(plot, observed, { color: colors.observed, width: 1.5 });
      for (const threshold of options.thresholds) {
        const y = plot.y(threshold);
        drawStraight(plot, [plot.left, y, plot.right, y], { color: colors.anomaly, dash: [6, 4] });
      }
    },
  };
  return createTimeChart(element, drawing, { top: TOP, ...options, colors });
}

interface Extent {
  readonly min: number;
  readonly max: number;
}

/** The values with a margin, and the thresholds that are near enough to leave them readable. */
function rangeWith(min: number, max: number, thresholds: readonly number[]): Extent {
  const size = max - min || Math.abs(max) || 1;
  const near = thresholds.filter((level) => level > min - 2 * size && level < max + 2 * size);
  const [from, to] = [Math.min(min, ...near), Math.max(max, ...near)];
  const margin = (to - from || 1) * 0.06;
  return { min: from - margin, max: to + margin };
}

/** A line where the forecast starts, and its label. */
function drawStart(plot: Plot, start: number, { text }: Colors<"text">, { now }: ForecastChartOptions): void {
  const { ctx, top, bottom, x } = plot;
  drawStraight(plot, [x(start), top, x(start), bottom], { color: text });
  ctx.fillStyle = text;
  ctx.textAlign = "center";
  ctx.fillText(now, x(start), top / 2);
}
