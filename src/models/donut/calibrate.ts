// Calibration of a trained network: the tail of its nll over the end of the training range.
import type { DonutShape, PredictOptions, Series } from "../../../wasm/protocol.ts";
import type { Feature } from "../../core/model/feature.ts";
import type { Sides } from "../detectors/members.ts";
import type { Context } from "../kind.ts";
import { drawTail, fitTail, type Tail } from "../stats/tail.ts";

/** Directions that count. */
export type AnomalyType = NonNullable<Feature["anomaly_type"]>;

/** Least sample of the validation part; a smaller one is extended to the whole range. */
const MIN_SAMPLE = 200;

export interface CalibrateInput {
  readonly shape: DonutShape;
  readonly params: Float32Array;
  readonly series: Series;
  readonly validationFrom: number;
  readonly anomalyType: AnomalyType;
  readonly options: PredictOptions;
  /** Points to score, from the end of the series. */
  readonly scored?: number | undefined;
  /** Score the points of the first window, too, as those after a gap. */
  readonly fromFirst?: boolean | undefined;
  /** Tail in series alike, and its weight in points: see `Prior` of the detectors. */
  readonly prior?: { readonly tail: Tail; readonly points: number } | undefined;
}

/** @returns -1 below the prediction, 1 above; 0 if the direction does not count or nothing was observed */
export function directionOf(difference: number, anomalyType: AnomalyType): -1 | 0 | 1 {
  if (Number.isNaN(difference)) return 0;
  if (difference < 0) return anomalyType === "high" ? 0 : -1;
  return anomalyType === "low" ? 0 : 1;
}

/** The directions that count. */
export function sidesOf(anomalyType: AnomalyType): Sides {
  return { below: anomalyType !== "high", above: anomalyType !== "low" };
}

/** Points of the training range to score, from its end, by default. */
const MAX_SCORED = 30_000;

/** Statistic and expectation of a network over its training range, standardised; NaN where not scored. */
export interface Scored {
  readonly nll: Float64Array;
  readonly expected: Float64Array;
}

/** Scores the end of the training range; one value per interval of the series. */
export async function scoreTrained(
  { shape, params, series, options, scored = MAX_SCORED, fromFirst = false }: CalibrateInput,
  context: Context,
): Promise<Scored> {
  const length = series.values.length;
  const from = Math.max(0, length - scored);
  const lead = fromFirst && from === 0 ? shape.window - 1 : 0;
  const result = await context.compute.run(
    { kind: "score", shape, params, series: leadIn(cutSeries(series, from), lead), options },
    { lane: "training", signal: context.signal },
  );
  const whole = (values: Float32Array) => {
    const column = new Float64Array(length).fill(Number.NaN);
    column.set(values.subarray(lead), from);
    return column;
  };
  return { nll: whole(result.nll), expected: whole(result.mean) };
}

/** Tail of the nll over the validation part. */
export function tailOf(
  { series, validationFrom, anomalyType, prior }: CalibrateInput,
  { nll, expected }: Scored,
): Tail {
  const isLarge = nll.length - validationFrom >= MIN_SAMPLE;
  const sample: number[] = [];
  let total = 0;
  for (let i = isLarge ? validationFrom : 0; i < nll.length; i++) {
    if (!Number.isFinite(nll[i]!)) continue;
    total++;
    if (directionOf(series.values[i]! - expected[i]!, anomalyType) !== 0) sample.push(nll[i]!);
  }
  if (prior) sample.push(...drawTail(prior.tail, prior.points));
  return fitTail(Float64Array.from(sample.length > 0 ? sample : [0]), total + (prior?.points ?? 0));
}

/** The series with `count` missing points before it. */
export function leadIn(series: Series, count: number): Series {
  const { values, observed, conditions } = series;
  if (count <= 0) return series;
  const size = (conditions?.length ?? 0) / values.length;
  const prepend = <A extends Float32Array | Uint8Array>(longer: A, array: A) => {
    longer.set(array, longer.length - array.length);
    return longer;
  };
  return {
    values: prepend(new Float32Array(count + values.length), values),
    observed: prepend(new Uint8Array(count + values.length), observed),
    ...(conditions && {
      conditions: prepend(new Float32Array(count * size + conditions.length), conditions),
    }),
  };
}

/** Copies the intervals from `from` to `to` (exclusive), with their conditions. */
export function cutSeries(series: Series, from: number, to = series.values.length): Series {
  const { values, observed, conditions } = series;
  const size = (conditions?.length ?? 0) / values.length;
  return {
    values: values.slice(from, to),
    observed: observed.slice(from, to),
    ...(conditions && { conditions: conditions.slice(from * size, to * size) }),
  };
}

/** Copies of series, one after the other, with their conditions. @param stretches all with conditions of one size */
export function joinSeries(stretches: readonly Series[]): Series {
  const length = stretches.reduce((sum, { values }) => sum + values.length, 0);
  const values = new Float32Array(length);
  const observed = new Uint8Array(length);
  const [first] = stretches;
  const size = (first?.conditions?.length ?? 0) / (first?.values.length ?? 1);
  const conditions = new Float32Array(length * size);
  let at = 0;
  for (const stretch of stretches) {
    values.set(stretch.values, at);
    observed.set(stretch.observed, at);
    if (stretch.conditions) conditions.set(stretch.conditions, at * size);
    at += stretch.values.length;
  }
  return { values, observed, ...(size > 0 && { conditions }) };
}
