// Time chart of a forecast: observed values before its start, expected ones with two bands after it; canvas.
import uPlot from "uplot";
import type { ForecastColumns, ForecastData } from "../lib/forecast.ts";

export interface ForecastChartOptions {
  readonly height: number;
  /** Label of an instant on the axis; `step` is the distance of two labels, seconds. */
  readonly formatTick: (seconds: number, step: number) => string;
  readonly formatValue: (value: number) => string;
  /** Levels that are drawn across. */
  readonly thresholds: readonly number[];
  /** Label of the start of the forecast. */
  readonly now: string;
  /** Index of the time below the pointer; undefined outside. */
  readonly onCursor: (index: number | undefined) => void;
}

interface Colors {
  readonly text: string;
  readonly grid: string;
  readonly observed: string;
  readonly forecast: string;
  readonly band: string;
  readonly anomaly: string;
}

function readColors(element: Element): Colors {
  const style = getComputedStyle(element);
  const read = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    text: read("ink-3"),
    grid: read("line"),
    observed: read("observed"),
    forecast: read("confirmed"),
    band: read("forecast-band"),
    anomaly: read("anomaly"),
  };
}

/** Draws one feature into an element. @returns the chart; `destroy` removes it */
export function drawForecast(
  element: HTMLElement,
  { times, start }: ForecastData,
  columns: ForecastColumns,
  options: ForecastChartOptions,
): uPlot {
  const colors = readColors(element);
  const line = (stroke: string, rest: Partial<uPlot.Series> = {}): uPlot.Series => ({
    stroke,
    width: 1.5,
    points: { show: false },
    ...rest,
  });
  const edge = line("transparent", { width: 0 });
  const { lower, upper, innerLower, innerUpper, past, expected, observed } = columns;
  const data = [times, lower, upper, innerLower, innerUpper, past, expected, observed];
  return new uPlot(
    {
      width: Math.max(200, element.clientWidth),
      height: options.height,
      legend: { show: false },
      padding: [16, 8, 0, 0],
      cursor: { drag: { x: false, y: false }, points: { show: false } },
      scales: { y: { range: (_, min, max) => rangeWith(min, max, options.thresholds) } },
      axes: axesOf(colors, options),
      series: [
        {},
        edge,
        edge,
        edge,
        edge,
        line(colors.forecast, { dash: [2, 4] }),
        line(colors.forecast, { width: 2 }),
        line(colors.observed),
      ],
      bands: [
        { series: [2, 1], fill: colors.band },
        { series: [4, 3], fill: colors.band },
      ],
      hooks: {
        draw: [(plot) => drawMarks(plot, start, colors, options)],
        setCursor: [({ cursor }) => options.onCursor(cursor.idx ?? undefined)],
      },
    },
    data.map((column) => [...column]) as uPlot.AlignedData,
    element,
  );
}

/** The values with a margin, and the thresholds that are near enough to leave them readable. */
function rangeWith(min: number, max: number, thresholds: readonly number[]): [number, number] {
  const size = max - min || Math.abs(max) || 1;
  const near = thresholds.filter((level) => level > min - 2 * size && level < max + 2 * size);
  const [from, to] = [Math.min(min, ...near), Math.max(max, ...near)];
  const margin = (to - from || 1) * 0.06;
  return [from - margin, to + margin];
}

function axesOf(colors: Colors, { formatTick, formatValue }: ForecastChartOptions): uPlot.Axis[] {
  const axis = { stroke: colors.text, grid: { stroke: colors.grid, width: 1 }, ticks: { show: false } };
  return [
    {
      ...axis,
      space: 72,
      values: (_plot, ticks, _axis, _space, step) => ticks.map((tick) => formatTick(tick, step)),
    },
    { ...axis, size: 56, values: (_, ticks) => ticks.map(formatValue) },
  ];
}

/** The start of the forecast, and the thresholds. */
function drawMarks(
  plot: uPlot,
  start: number,
  colors: Colors,
  { thresholds, now }: ForecastChartOptions,
): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.lineWidth = ratio;
  const x = plot.valToPos(start, "x", true);
  ctx.strokeStyle = colors.text;
  stroke(ctx, [x, bbox.top, x, bbox.top + bbox.height]);
  ctx.fillStyle = colors.text;
  ctx.font = `${12 * ratio}px system-ui, sans-serif`;
  ctx.textAlign = "center";
  ctx.fillText(now, x, bbox.top - 4 * ratio);
  for (const threshold of thresholds) {
    const y = plot.valToPos(threshold, "y", true);
    ctx.strokeStyle = colors.anomaly;
    ctx.setLineDash([6 * ratio, 4 * ratio]);
    if (y >= bbox.top && y <= bbox.top + bbox.height) stroke(ctx, [bbox.left, y, bbox.left + bbox.width, y]);
  }
  ctx.restore();
}

function stroke(ctx: CanvasRenderingContext2D, [x1, y1, x2, y2]: readonly [number, number, number, number]) {
  ctx.beginPath();
  ctx.moveTo(x1, y1);
  ctx.lineTo(x2, y2);
  ctx.stroke();
}
