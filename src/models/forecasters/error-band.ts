// Error bands of forecasts from the errors of past ones, by lead (conformal prediction); pure.
import { Type } from "@sinclair/typebox";
import { bandWidth } from "../stats/normal.ts";
import { piecewise } from "../stats/piecewise.ts";
import { notNegative, positive, type Stored, strict } from "../stored-schema.ts";
import { ErrorByValueSchema, evenOut } from "./error-by-value.ts";
import type { Growth, LeadErrors } from "./error-growth.ts";
import { atPresentLevel } from "./error-level.ts";
import type { KnownErrors } from "./known-errors.ts";
import type { Plan } from "./plan.ts";

/** Stored quantiles of the scaled errors, and the share of the errors on either side that the tails are fitted to. */
const QUANTILES = 100;
const TAIL_SHARE = 0.05;
/** Bandwidth of the smoothing over leads, in square roots of leads: errors grow fast at first. */
const SMOOTHING = 1;
/** Forecasts without overlap of which the errors by lead count half, and their even growth the other half. */
const GROWTH_WEIGHT = 10;
/** Forecasts without overlap from which both sides differ as their errors do; of fewer they are alike in part. */
const SIGNED_SAMPLE = 30;
/** Forecasts without overlap of which the errors count half, and those that the whole history tells the other half. */
const KNOWN_WEIGHT = 4;
/** Forecasts without overlap from which the whole history makes the band narrower alone: they saw enough to be as wide. */
const FEW = 3.5;
/** Most that they make it wider: a backtest, however short, errs by chance as much. */
const MOST_WIDER = 3;
/** Growth where it was not measured, as in older versions, as a power of the lead: by a sixth from a day to a week. */
const USUAL_EXPONENT = 0.08;
/** Errors in scales that are added to the observed ones: of few forecasts these say little about both sides. */
const USUAL_ERRORS = [-2.2, -1.3, -0.85, -0.5, -0.16, 0.16, 0.5, 0.85, 1.3, 2.2];
/** Least typical error, as a share of the noise: nearly the mean error of a normal one. */
const LEAST_SHARE = 0.7;
/** Distance of stored leads, as a share of the lead. */
const LEAD_GROWTH = 0.15;
/** Least effective sample size. */
const MIN_SAMPLE = 2;
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
    /** Effective sample size: errors that are independent of each other. */
    sample: Type.Number({ minimum: 1, rule: "must be a number, at least 1" }),
    /**
     * Growth of the squared errors beyond `leads`, per length of these and in their squared errors: 0 for noise around a
     * season, 1 for a random walk. Absent with one lead, and in versions that did not measure it.
     */
    growth: Type.Optional(notNegative),
    /** Absent where errors do not depend on the value, and in versions that did not measure it. */
    byValue: Type.Optional(ErrorByValueSchema),
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
 * @param whole errors per origin of the plan, at its leads: observed minus forecast, NaN = not observed
 * @param noise deviation of the values from one to the next, which no forecast foresees
 * @param levels by origin, relative to the present one, where errors may be a share of the level
 * @param known what the whole history tells of the errors, of which a short one has few
 * @returns undefined if nothing was observed
 */
export function fitBand(
  whole: readonly Float64Array[],
  { origins, leads, horizon }: Plan,
  {
    noise = 0,
    levels,
    known,
    forecasts: values,
  }: {
    readonly noise?: number;
    readonly levels?: readonly number[] | undefined;
    readonly known?: KnownErrors | undefined;
    /** Of the errors; absent: these do not depend on the value. */
    readonly forecasts?: readonly Float64Array[] | undefined;
  } = {},
): ErrorBand | undefined {
  const span = origins.at(-1)! - origins[0]!;
  const forecasts = (span + horizon) / horizon;
  const present = atPresentLevel(whole, { leads, span, levels });
  const { errors, measured, growth, byValue } = evenOut(present, values, { origins, leads });
  if (measured.length === 0) return undefined;
  const typical = typicalErrors(measured, growth, forecasts);
  const floor = Math.max(LEAST_SHARE * noise, Number.MIN_VALUE);
  const scaleOf = (lead: number) => Math.max(typical(lead), floor);
  const scales = leads.map(scaleOf);
  const scaled = [
    ...USUAL_ERRORS,
    ...errors.flatMap((own) => Array.from(own, (error, i) => error / scales[i]!)),
  ];
  const kept = thin(leads);
  const reached = leads.at(-1)! + 1;
  const own = {
    errors: scales,
    sample: sampleOf(forecasts, { horizon, rise: scaleOf(horizon - 1) / scaleOf(0) }),
  };
  // Where the past had no error, rounding alone would be one.
  const mixed = known && growth ? mixErrors(own, known, { forecasts, floor }) : own;
  return {
    leads: kept.map((i) => leads[i]!),
    scales: kept.map((i) => mixed.errors[i]!),
    ...distributionOf(scaled.filter(Number.isFinite), Math.min(1, forecasts / SIGNED_SAMPLE)),
    sample: mixed.sample,
    ...(measured.length > 1 && {
      growth: Math.max(0, (scaleOf(2 * reached - 1) / scaleOf(reached - 1)) ** 2 - 1),
    }),
    ...(byValue && { byValue }),
  };
}

/** Geometric means of errors of the backtest and those of the whole history, which count the more, the fewer forecasts. */
function mixErrors(
  own: KnownErrors,
  known: KnownErrors,
  { forecasts, floor }: { readonly forecasts: number; readonly floor: number },
): KnownErrors {
  const trust = KNOWN_WEIGHT / (KNOWN_WEIGHT + forecasts - 1);
  const mix = (one: number, all: number) => one ** (1 - trust) * all ** trust;
  const errors = own.errors.map((error, i) => {
    const all = Math.max(floor, known.errors[i]!);
    return mix(error, Math.min(all, forecasts < FEW ? MOST_WIDER * error : error));
  });
  return { errors, sample: mix(own.sample, known.sample) };
}

/** Mean absolute error by lead: even growth, and the more the errors of each lead, the more forecasts tell them. */
function typicalErrors(
  measured: readonly LeadErrors[],
  growth: Growth | undefined,
  forecasts: number,
): (lead: number) => number {
  if (!growth) return () => 0;
  const known = measured.map(({ lead, mean }) => ({
    root: Math.sqrt(lead),
    ratio: mean / growth.errorAt(lead),
  }));
  const own = forecasts / (forecasts + GROWTH_WEIGHT);
  const last = measured.at(-1)!.lead;
  return (lead) => {
    let [sum, weight] = [0, 0];
    for (const { root, ratio } of known) {
      const share = Math.exp(-(((Math.sqrt(Math.min(last, lead)) - root) / SMOOTHING) ** 2) / 2);
      sum += share * ratio;
      weight += share;
    }
    return growth.errorAt(lead) * (weight > 0 ? 1 + own * (sum / weight - 1) : 1);
  };
}

/** Quantiles and tails of scaled errors, of both signs alike but for the share `signed`: which side errs more is told late. */
function distributionOf(
  scaled: readonly number[],
  signed: number,
): Pick<ErrorBand, "quantiles" | "lowerTail" | "upperTail"> {
  const mirrored = scaled.map((value) => -value);
  const [own, other, both] = [scaled, mirrored, [...scaled, ...mirrored]].map((values) =>
    Float64Array.from(values).sort(),
  ) as [Float64Array, Float64Array, Float64Array];
  const mix = (of: (ascending: Float64Array) => number, side: Float64Array) =>
    signed * of(side) + (1 - signed) * of(both);
  return {
    quantiles: Array.from({ length: QUANTILES }, (_, i) =>
      mix((ascending) => quantileAt(ascending, (i + 0.5) / QUANTILES), own),
    ),
    lowerTail: mix(meanExcess, other),
    upperTail: mix(meanExcess, own),
  };
}

/**
 * Errors that are independent of each other, between the forecasts without overlap and what the growth says: that of
 * noise does not grow over a forecast, and each of its intervals is one of its own.
 */
function sampleOf(
  forecasts: number,
  { horizon, rise }: { readonly horizon: number; readonly rise: number },
): number {
  const alike = 1 + (horizon - 1) * Math.max(0, 1 - 1 / Math.max(1, rise ** 2));
  return Math.max(MIN_SAMPLE, Math.sqrt(forecasts * ((forecasts * horizon) / alike)));
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

/** Typical error at a lead: linear between the measured leads, slowly growing beyond them. */
export function scaleAt({ leads, scales, growth }: ErrorBand, lead: number): number {
  const last = leads.length - 1;
  if (lead >= leads[last]!) return scales[last]! * growAt(growth, (lead + 1) / (leads[last]! + 1));
  return piecewise(leads, scales, lead);
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
