// Time chart of one feature: band, expected and observed values, anomalies as shaded ground; canvas, no framework.
import uPlot from "uplot";
import type { AnomalyView } from "../../api/anomaly.ts";
import type { ChartData, FeatureColumns, Range } from "../state/series.ts";

const SYNC = "torus";
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

export interface ChartOptions {
  readonly height: number;
  readonly colors: ChartColors;
  /** Label of an instant on the axis, by the language and zone of the reader. */
  readonly formatTick: (seconds: number, span: number) => string;
  readonly formatValue: (value: number) => string;
  readonly chosen: string | undefined;
  /** A stretch was selected by dragging. */
  readonly onRange: (range: Range) => void;
  /** Index of the cell below the pointer; undefined outside. */
  readonly onCursor: (index: number | undefined) => void;
}

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

/** Draws the feature into an element. @returns the chart; `destroy` removes it */
export function drawFeature(
  element: HTMLElement,
  data: ChartData,
  columns: FeatureColumns,
  options: ChartOptions,
): uPlot {
  const { colors } = options;
  const line = (stroke: string, rest: Partial<uPlot.Series> = {}): uPlot.Series => ({
    stroke,
    width: 1.5,
    points: { show: false },
    spanGaps: false,
    ...rest,
  });
  return new uPlot(
    {
      ...frameOf(element, options),
      series: [
        {},
        line("transparent", { width: 0 }),
        line("transparent", { width: 0 }),
        line("transparent", { width: 0 }),
        line("transparent", { width: 0 }),
        line(colors.expected, { dash: [4, 4], width: 1 }),
        line(colors.observed),
        line(colors.anomaly, { width: 2 }),
      ],
      bands: [
        { series: [2, 1], fill: colors.band },
        { series: [4, 3], fill: colors.band },
      ],
      hooks: {
        drawClear: [(plot) => shadeAnomalies(plot, data.anomalies, options)],
        draw: [(plot) => drawLabels(plot, data.labels, options)],
        setSelect: [(plot) => selectRange(plot, options)],
        setCursor: [({ cursor }) => options.onCursor(cursor.idx ?? undefined)],
      },
    },
    align(data, [
      columns.lower,
      columns.upper,
      columns.min,
      columns.max,
      columns.expected,
      columns.mean,
      withinAnomalies(data, columns.mean),
    ]),
    element,
  );
}

/** Part of the data that a chart of scores shows. */
export type ScoreChartData = Pick<ChartData, "times" | "step" | "score" | "thresholds"> & {
  readonly anomalies: readonly ShadedAnomaly[];
};

type ShadedAnomaly = Pick<AnomalyView, "id" | "start" | "end" | "feedback">;

/** Draws the scores with both thresholds. */
export function drawScores(element: HTMLElement, data: ScoreChartData, options: ChartOptions): uPlot {
  const { colors } = options;
  return new uPlot(
    {
      ...frameOf(element, options),
      scales: { x: { time: true }, y: { range: [0, 100] } },
      series: [{}, { stroke: colors.observed, fill: colors.band, width: 1, points: { show: false } }],
      hooks: {
        drawClear: [(plot) => shadeAnomalies(plot, data.anomalies, options)],
        draw: [(plot) => drawThresholds(plot, data.thresholds, options)],
        setSelect: [(plot) => selectRange(plot, options)],
        setCursor: [({ cursor }) => options.onCursor(cursor.idx ?? undefined)],
      },
    },
    align(data, [data.score]),
    element,
  );
}

/** The column where an anomaly is in progress, null elsewhere. */
function withinAnomalies({ times, step, anomalies }: ChartData, column: FeatureColumns["mean"]) {
  const isWithin = (time: number) =>
    anomalies.some(({ start, end, feedback }) => {
      return feedback?.anomaly !== false && start < time + step && (end === null || time < end);
    });
  return times.map((time, i) => (isWithin(time) ? (column[i] ?? null) : null));
}

/** Columns as the library takes them; an absent one is empty. */
function align(
  { times }: Pick<ChartData, "times">,
  columns: readonly (readonly (number | null)[] | undefined)[],
): uPlot.AlignedData {
  const empty = times.map(() => null);
  return [[...times], ...columns.map((column) => [...(column ?? empty)])];
}

function frameOf(element: HTMLElement, { height, colors, formatTick, formatValue }: ChartOptions) {
  const axis = { stroke: colors.text, grid: { stroke: colors.grid, width: 1 }, ticks: { show: false } };
  return {
    width: Math.max(200, element.clientWidth),
    height,
    legend: { show: false },
    padding: [8, 8, 0, 0] as uPlot.Padding,
    cursor: { sync: { key: SYNC }, drag: { x: true, y: false, setScale: false }, points: { show: false } },
    axes: [
      {
        ...axis,
        values: (plot: uPlot, ticks: number[]) => {
          const { min = 0, max = 0 } = plot.scales.x!;
          return ticks.map((tick) => formatTick(tick, (max ?? 0) - (min ?? 0)));
        },
        space: 80,
      },
      { ...axis, values: (_: uPlot, ticks: number[]) => ticks.map(formatValue), size: 56 },
    ],
  } satisfies Partial<uPlot.Options>;
}

function shadeAnomalies(
  plot: uPlot,
  anomalies: readonly ShadedAnomaly[],
  { colors, chosen }: ChartOptions,
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
function drawLabels(plot: uPlot, labels: ChartData["labels"], { colors }: ChartOptions): void {
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

function drawThresholds(plot: uPlot, { min, max }: ChartData["thresholds"], { colors }: ChartOptions): void {
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

function selectRange(plot: uPlot, { onRange }: ChartOptions): void {
  const { left, width } = plot.select;
  if (width < 4) return;
  onRange({ from: plot.posToVal(left, "x"), to: plot.posToVal(left + width, "x") });
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
}
