// Time charts of a model: values in their band, scores, anomalies as shaded ground.
import type { ChartData, FeatureColumns } from "../state/chart/series.ts";
import {
  type ChartColors,
  drawChanges,
  drawLabels,
  drawThresholds,
  type ShadedAnomaly,
  shadeAnomalies,
} from "./marks.ts";
import { drawLine, fillBetween, thinIfDense } from "./paint.ts";
import { createTimeChart, type Drawing, type TimeChart, type TimeChartOptions } from "./time-chart.ts";

/** Opacity of the area from the least to the greatest value of each step. */
const EXTREMES = 0.35;

export interface ChartOptions extends TimeChartOptions {
  readonly colors: ChartColors;
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

/** A chart that is made once: values and ranges change on it. */
export interface ModelChart<D> extends Omit<TimeChart, "update"> {
  readonly update: (drawn: D) => void;
}

/** Draws the feature into an element. */
export function drawFeature(
  element: HTMLElement,
  drawn: DrawnFeature,
  options: ChartOptions,
): ModelChart<DrawnFeature> {
  const { colors } = options;
  return createChart(element, drawn, options, ({ data, columns, chosen }) => {
    const { lower = [], upper = [], min, max, expected = [], mean } = columns;
    const [odd, oddMin, oddMax] = [mean, min, max].map((column) => withinAnomalies(data, column));
    return {
      times: data.times,
      columns: [min, max],
      band: [lower, upper, expected],
      drawGround: (plot) => shadeAnomalies(plot, data.anomalies, chosen, options),
      draw: (plot) => {
        fillBetween(plot, lower, upper, colors.band);
        // Of many points in a step the mean alone would hide a spike.
        plot.ctx.globalAlpha = EXTREMES;
        fillBetween(plot, min, max, colors.observed);
        fillBetween(plot, oddMin!, oddMax!, colors.anomaly);
        plot.ctx.globalAlpha = 1;
        drawLine(plot, expected, thinIfDense(plot, { color: colors.expected, dash: [4, 4] }));
        drawLine(plot, mean, thinIfDense(plot, { color: colors.observed, width: 1.5 }));
        drawLine(plot, odd!, { color: colors.anomaly, width: 2 });
        drawLabels(plot, data.labels, options);
        drawChanges(plot, data.changes, options);
      },
    };
  });
}

/** Draws the scores with both thresholds. */
export function drawScores(
  element: HTMLElement,
  drawn: DrawnScores,
  options: ChartOptions,
): ModelChart<DrawnScores> {
  const { colors } = options;
  return createChart(element, drawn, options, ({ data, chosen }) => {
    const { score = [] } = data;
    const zero = score.map((value) => value && 0);
    return {
      times: data.times,
      columns: [],
      extent: () => ({ min: 0, max: 100 }),
      drawGround: (plot) => shadeAnomalies(plot, data.anomalies, chosen, options),
      draw: (plot) => {
        fillBetween(plot, zero, score, colors.band);
        drawLine(plot, score, thinIfDense(plot, { color: colors.observed }));
        drawThresholds(plot, data.thresholds, options);
      },
    };
  });
}

function createChart<D>(
  element: HTMLElement,
  first: D,
  options: ChartOptions,
  drawingOf: (drawn: D) => Drawing,
): ModelChart<D> {
  const chart = createTimeChart(element, drawingOf(first), { isLinked: true, ...options });
  return { ...chart, update: (drawn) => chart.update(drawingOf(drawn)) };
}

type Column = FeatureColumns["mean"];

/** The column where an anomaly is in progress, null elsewhere. */
function withinAnomalies({ times, step, anomalies }: ChartData, column: Column) {
  const isWithin = (time: number) =>
    anomalies.some(({ start, end, feedback }) => {
      return feedback?.anomaly !== false && start < time + step && (end === null || time < end);
    });
  return times.map((time, i) => (isWithin(time) ? (column[i] ?? null) : null));
}
