// Error bands of forecasts from the errors of past ones, by lead (conformal prediction); pure.
import { Type } from "@sinclair/typebox";
import { meanMagnitude } from "../stats/magnitude.ts";
import { bandWidth } from "../stats/normal.ts";
import { notNegative, positive, type Stored, strict } from "../stored-schema.ts";
import { fitGrowth, growFar } from "./error-growth.ts";
import type { Plan } from "./plan.ts";

/** Stored quantiles of the scaled errors, and the share of the errors on either side that the tails are fitted to. */
const QUANTILES = 100;
const TAIL_SHARE = 0.05;
/** Bandwidth of the smoothing over leads, in square roots of leads: errors grow fast at first. */
const SMOOTHING = 1;
/** Shrinkage of the errors by lead, which are few, towards their mean. */
const SHRINKAGE = 0.5;
/** Growth where it was not measured, as a power of the lead: by a sixth from a day to a week. */
const USUAL_EXPONENT = 0.08;
/** Errors in scales that are added to the observed ones: of few forecasts these say little about both sides. */
const USUAL_ERRORS = [-2.2, -1.3, -0.85, -0.5, -0.16, 0.16, 0.5, 0.85, 1.3, 2.2];
/** Least typical error, as a share of the noise: nearly the mean error of a normal one. */
const LEAST_SHARE = 0.7;
/** Distance of stored leads, as a share of the lead. */
const LEAD_GROWTH = 0.15;
/** Least effective sample size, in forecasts without overlap. */
const MIN_SAMPLE = 3;
/** Largest level: a band of level 1 would be infinite. */
const MAX_LEVEL = 0.999999;

const atMost = (maxItems: number) => ({ minItems: 1, maxItems });

/** Distribution of the errors of past forecasts, by lead. */
export const ErrorBandSchema = Type.Object(
  {
    /** Leads that were measured, ascending from 0. */
    leads: Type.Array(Type.Integer({ minimum: 0, maximum: 1_000_000 }), atMost(1000)),
    /** Typical error at each of `leads`, in units of the data. */
    scales: Type.Array(positive, atMost(1000)),
    /** Ascending quantiles of error / scale, at (i + 1/2) / length. */
    quantiles: Type.Array(Type.Number(), atMost(10_000)),
    /** Mean excess of the outermost errors, in scales: tails beyond the stored quantiles are exponential. */
    lowerTail: notNegative,
    upperTail: notNegative,
    /** Effective sample size: number of forecasts without overlap. */
    sample: Type.Number({ minimum: 1, rule: "must be a number, at least 1" }),
    /**
     * Growth of the squared errors beyond `leads`, per length of these and in their squared errors: 0 for noise around a
     * season, 1 for a random walk. Absent in versions that did not measure it.
     */
    growth: Type.Optional(notNegative),
  },
  strict,
);
export type ErrorBand = Stored<typeof ErrorBandSchema>;

/** Edges of a band relative to the prediction, in scales: `lower` at most 0, `upper` at least 0. */
export interface Edges {
  readonly lower: number;
  readonly upper: number;
}

/**
 * Fits the band.
 * @param errors per origin of the plan, at its leads: observed minus forecast, NaN = not observed
 * @param noise deviation of the values from one to the next, which no forecast foresees
 * @returns undefined if nothing was observed
 */
export function fitBand(
  errors: readonly Float64Array[],
  { origins, leads, horizon }: Plan,
  noise = 0,
): ErrorBand | undefined {
  const measured = scalesOf(errors, leads, horizon);
  if (!measured) return undefined;
  const daily = fitGrowth(errors, leads, horizon);
  const grown = growFar(measured, { leads, horizon, daily });
  const scales = grown.map((scale) => Math.max(scale, LEAST_SHARE * noise, Number.MIN_VALUE));
  const scaled = [
    ...USUAL_ERRORS,
    ...errors.flatMap((own) => Array.from(own, (error, i) => error / scales[i]!)),
  ];
  const sorted = Float64Array.from(scaled.filter(Number.isFinite)).sort();
  const kept = thin(leads);
  const reached = Math.max(1, (leads.at(-1)! + 1) / horizon);
  const reach = origins.at(-1)! - origins[0]! + horizon;
  return {
    leads: kept.map((i) => leads[i]!),
    scales: kept.map((i) => scales[i]!),
    quantiles: Array.from({ length: QUANTILES }, (_, i) => quantileAt(sorted, (i + 0.5) / QUANTILES)),
    lowerTail: meanExcess(sorted.map((value) => -value).reverse()),
    upperTail: meanExcess(sorted),
    sample: Math.max(MIN_SAMPLE, reach / horizon),
    ...(daily !== undefined && { growth: (daily * reached) / (1 + daily * (reached - 1)) }),
  };
}

/** Indices of the leads that are stored, closer together near the origin: between them errors grow evenly. */
function thin(leads: readonly number[]): number[] {
  const kept: number[] = [];
  for (const [i, lead] of leads.entries()) {
    const before = leads[kept.at(-1) ?? 0]!;
    if (kept.length === 0 || i === leads.length - 1 || lead >= before + Math.max(1, before * LEAD_GROWTH))
      kept.push(i);
  }
  return kept;
}

/** Edges of the band of confidence `level`, 0..1. */
export function edgesOf({ quantiles, lowerTail, upperTail, sample }: ErrorBand, level: number): Edges {
  const factor = studentFactor(bandWidth(level), sample);
  const outside = (1 - Math.min(MAX_LEVEL, Math.max(0, level))) / 2;
  const mirrored = quantiles.map((value) => -value).reverse();
  return {
    lower: -factor * Math.max(0, tailValue(mirrored, lowerTail, outside)),
    upper: factor * Math.max(0, tailValue(quantiles, upperTail, outside)),
  };
}

/** Mean absolute error per lead, smoothed; above 0 also where all errors are 0. Undefined without any. */
function scalesOf(
  errors: readonly Float64Array[],
  leads: readonly number[],
  horizon: number,
): number[] | undefined {
  const raw = leads.map((_, i) => meanMagnitude(errors.map((own) => own[i]!)));
  const known = raw.filter(Number.isFinite);
  if (known.length === 0) return undefined;
  const meanOf = (own: readonly number[]) => own.reduce((sum, value) => sum + value, 0) / own.length;
  // Within the near horizon all leads say what one of them is like; beyond, each is further than the one before.
  const near = meanOf(raw.filter((value, i) => Number.isFinite(value) && leads[i]! < horizon));
  const all = Number.isFinite(near) ? near : meanOf(known);
  if (known.every((value) => value === 0)) return leads.map(() => Number.MIN_VALUE);
  return leads.map((lead) => {
    let [sum, weight] = [0, 0];
    for (const [k, value] of raw.entries()) {
      if (!Number.isFinite(value)) continue;
      const share = Math.exp(-(((Math.sqrt(lead) - Math.sqrt(leads[k]!)) / SMOOTHING) ** 2) / 2);
      sum += share * value;
      weight += share;
    }
    const smooth = weight > 0 ? sum / weight : all;
    return lead < horizon ? SHRINKAGE * all + (1 - SHRINKAGE) * smooth : smooth;
  });
}

/** Typical error at a lead: linear between the measured leads, slowly growing beyond them. */
export function scaleAt({ leads, scales, growth }: ErrorBand, lead: number): number {
  const last = leads.length - 1;
  if (lead >= leads[last]!) return scales[last]! * growAt(growth, (lead + 1) / (leads[last]! + 1));
  let i = 0;
  while (leads[i + 1]! <= lead) i++;
  const share = (lead - leads[i]!) / (leads[i + 1]! - leads[i]!);
  return scales[i]! + share * (scales[i + 1]! - scales[i]!);
}

function growAt(growth: number | undefined, horizons: number): number {
  if (growth === undefined) return horizons ** USUAL_EXPONENT;
  return Math.sqrt(1 + growth * (horizons - 1));
}

/** Quantile by linear interpolation; the values lie at (i + 1/2) / length. */
function quantileAt(ascending: ArrayLike<number>, p: number): number {
  const last = ascending.length - 1;
  const place = Math.min(last, Math.max(0, p * ascending.length - 0.5));
  const i = Math.floor(place);
  const next = Math.min(last, i + 1);
  return ascending[i]! + (place - i) * (ascending[next]! - ascending[i]!);
}

function meanExcess(ascending: Float64Array): number {
  const from = quantileAt(ascending, 1 - TAIL_SHARE);
  const excess = ascending.filter((value) => value > from).map((value) => value - from);
  return excess.reduce((sum, value) => sum + value, 0) / Math.max(1, excess.length);
}

/** Value that a share `outside` exceeds. */
function tailValue(ascending: readonly number[], tail: number, outside: number): number {
  const kept = 0.5 / ascending.length;
  if (outside >= kept) return quantileAt(ascending, 1 - outside);
  return ascending.at(-1)! + tail * Math.log(kept / outside);
}

/** Ratio of Student's quantile to the normal one (Cornish and Fisher, three terms): widens bands of small samples. */
function studentFactor(z: number, degrees: number): number {
  const first = (z ** 2 + 1) / (4 * degrees);
  const second = (5 * z ** 4 + 16 * z ** 2 + 3) / (96 * degrees ** 2);
  return 1 + first + second;
}
