// Time charts of a model: values in their band, scores, anomalies as shaded ground; zoomed without a new read.
import uPlot from "uplot";
import type { ChartData, FeatureColumns, Range } from "../state/series.ts";
import { type ChartColors, drawLabels, drawThresholds, type ShadedAnomaly, shadeAnomalies } from "./marks.ts";

const SYNC = "torus";

export interface ChartOptions {
  readonly height: number;
  readonly colors: ChartColors;
  /** Label of an instant on the axis, by the language and zone of the reader. */
  readonly formatTick: (seconds: number, span: number) => string;
  readonly formatValue: (value: number) => string;
  /** A stretch was selected by dragging. */
  readonly onRange: (range: Range) => void;
  /** Index of the cell below the pointer; undefined outside. */
  readonly onCursor: (index: number | undefined) => void;
}

/** What a chart of a feature shows. */
export interface DrawnFeature {
  readonly data: ChartData;
  readonly columns: FeatureColumns;
  /** Id of the chosen anomaly. */
  readonly chosen: string | undefined;
}

/** What a chart of scores shows. */
export interface DrawnScores {
  readonly data: Pick<ChartData, "times" | "step" | "score" | "thresholds"> & {
    readonly anomalies: readonly ShadedAnomaly[];
  };
  readonly chosen: string | undefined;
}

export interface TimeChart<D> {
  /** Shows other values, over all of their times. */
  readonly update: (drawn: D) => void;
  /** Shows some of the times at once, or more than there are, until their values are here. */
  readonly show: (range: Range) => void;
  readonly destroy: () => void;
}

/** Draws the feature into an element, as wide as it is. */
export function drawFeature(
  element: HTMLElement,
  drawn: DrawnFeature,
  options: ChartOptions,
): TimeChart<DrawnFeature> {
  const { colors } = options;
  const line = (stroke: string, rest: Partial<uPlot.Series> = {}): uPlot.Series => ({
    stroke,
    width: 1.5,
    points: { show: false },
    spanGaps: false,
    ...rest,
  });
  const bare = line("transparent", { width: 0 });
  const series = [
    {},
    ...[bare, bare, bare, bare].map((each) => ({ ...each })),
    line(colors.expected, { dash: [4, 4], width: 1 }),
    line(colors.observed),
    line(colors.anomaly, { width: 2 }),
  ];
  const bands = [
    { series: [2, 1] as [number, number], fill: colors.band },
    { series: [4, 3] as [number, number], fill: colors.band },
  ];
  return makeChart(element, options, drawn, {
    frame: { series, bands },
    columnsOf: ({ data, columns }) => [
      columns.lower,
      columns.upper,
      columns.min,
      columns.max,
      columns.expected,
      columns.mean,
      withinAnomalies(data, columns.mean),
    ],
    draw: (plot, { data }) => drawLabels(plot, data.labels, options),
  });
}

/** Draws the scores with both thresholds. */
export function drawScores(
  element: HTMLElement,
  drawn: DrawnScores,
  options: ChartOptions,
): TimeChart<DrawnScores> {
  const { colors } = options;
  const series = [{}, { stroke: colors.observed, fill: colors.band, width: 1, points: { show: false } }];
  return makeChart(element, options, drawn, {
    frame: { scales: { x: { time: true }, y: { range: [0, 100] } }, series },
    columnsOf: ({ data }) => [data.score],
    draw: (plot, { data }) => drawThresholds(plot, data.thresholds, options),
  });
}

type Column = readonly (number | null)[];

interface ChartKind<D> {
  readonly frame: Pick<uPlot.Options, "series" | "bands" | "scales">;
  readonly columnsOf: (drawn: D) => readonly (Column | undefined)[];
  /** Draws over the series. */
  readonly draw: (plot: uPlot, drawn: D) => void;
}

/** A chart that is made once: values and ranges change on it. */
function makeChart<D extends DrawnScores>(
  element: HTMLElement,
  options: ChartOptions,
  first: D,
  { frame, columnsOf, draw }: ChartKind<D>,
): TimeChart<D> {
  let drawn = first;
  const plot = new uPlot(
    {
      ...frameOf(element, options),
      ...frame,
      hooks: {
        drawClear: [(own) => shadeAnomalies(own, drawn.data.anomalies, drawn.chosen, options)],
        draw: [(own) => draw(own, drawn)],
        setSelect: [(own) => selectRange(own, options)],
        setCursor: [({ cursor }) => options.onCursor(cursor.idx ?? undefined)],
      },
    },
    align(first.data, columnsOf(first)),
    element,
  );
  const sizes = new ResizeObserver(() => {
    const width = widthOf(element);
    if (width !== plot.width) plot.setSize({ width, height: options.height });
  });
  sizes.observe(element);
  return {
    update: (next) => {
      drawn = next;
      plot.setData(align(next.data, columnsOf(next)));
    },
    show: ({ from, to }) => plot.setScale("x", { min: from, max: to }),
    destroy: () => {
      sizes.disconnect();
      plot.destroy();
    },
  };
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
  columns: readonly (Column | undefined)[],
): uPlot.AlignedData {
  const empty = times.map(() => null);
  return [[...times], ...columns.map((column) => [...(column ?? empty)])];
}

/** CSS pixels. */
function widthOf({ clientWidth }: HTMLElement): number {
  return Math.max(200, clientWidth);
}

function frameOf(element: HTMLElement, { height, colors, formatTick, formatValue }: ChartOptions) {
  const axis = { stroke: colors.text, grid: { stroke: colors.grid, width: 1 }, ticks: { show: false } };
  return {
    width: widthOf(element),
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

function selectRange(plot: uPlot, { onRange }: ChartOptions): void {
  const { left, width } = plot.select;
  if (width < 4) return;
  onRange({ from: plot.posToVal(left, "x"), to: plot.posToVal(left + width, "x") });
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
}
