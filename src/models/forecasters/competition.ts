// Competition of members over a backtest: errors by group of leads, corrections of a constant bias, and weights; pure.
import { meanMagnitude } from "../stats/magnitude.ts";
import { medianOf } from "../stats/median.ts";
import { type GroupBounds, groupOf, leadGroups, valueAt } from "./lead-groups.ts";
import type { Member } from "./members/index.ts";
import type { Plan } from "./plan.ts";
import { type Vote, withoutOutliers } from "./votes.ts";
import { dropSmall, weightsOfErrors } from "./weights.ts";

/** A member and its forecasts from each origin, at the leads of the plan. */
export interface Candidate {
  readonly member: Member;
  /** Weight before the backtest. */
  readonly prior: number;
  readonly forecasts: readonly ArrayLike<number>[];
}

/** Share and correction of a member, by group of leads. */
export interface Weighing {
  readonly shares: readonly number[];
  readonly biases: readonly number[];
}

export type WeighedCandidate = Candidate & Weighing;

/** Members of a combination: those with smaller shares are not worth their computation. */
const MAX_MEMBERS = 10;
/** Errors as if they were those of all members that are added: few of them prove little. */
const PRIOR_ERRORS = 3;
/** Weight of the oldest origin relative to the newest. */
const OLDEST_WEIGHT = 0.4;
/** Least number of origins, and least share of them on one side, that make a bias. */
const MIN_ORIGINS = 6;
const ONE_SIDE = 0.9;
/** Least size of an error of a bias, as a share of it. */
const LEAST_ALIKE = 0.2;
/** Share of a correction that counts as error. */
const BIAS_PRICE = 0.2;

export interface Arena {
  /** The training part. */
  readonly column: Float64Array;
  readonly plan: Plan;
  /** Whether a forecast says nothing of the present: a break, known by now, lies between its origin and its lead. */
  readonly isSpoiled?: ((origin: number, lead: number) => boolean) | undefined;
  readonly bounds: GroupBounds;
}

/** Candidates with a share above 0 in some group; the shares of a group add up to 1. @param candidates at least one */
export function weighCandidates(arena: Arena, candidates: readonly Candidate[]): readonly WeighedCandidate[] {
  const shares = candidates.map((): number[] => []);
  const biases = candidates.map((): number[] => []);
  let scores = candidates.map(() => 1);
  for (const group of leadGroups.keys()) {
    const places = placesOf(arena, group);
    // Groups that no forecast reaches are weighed as the one before.
    if (places.length === 0) {
      for (const own of [...shares, ...biases]) own.push(own.at(-1) ?? 1 / candidates.length);
      continue;
    }
    const errors = candidates.map((candidate) => errorsOf(arena, candidate.forecasts, places));
    const bias = errors.map(biasOf);
    const corrected = errors.map((own, k) => own.map((row) => row.map((error) => error - bias[k]!)));
    scores = scoresOf(corrected, { nearer: scores, bias });
    const own = sharesOf(candidates, scores);
    for (const k of candidates.keys()) {
      shares[k]!.push(own[k]!);
      biases[k]!.push(bias[k]!);
    }
  }
  const weighed = candidates.map((candidate, k) => ({
    ...candidate,
    shares: shares[k]!,
    biases: biases[k]!,
  }));
  return keepLargest(weighed);
}

/** The members with the largest shares, which add up to 1 in each group again. */
function keepLargest(all: readonly WeighedCandidate[]): readonly WeighedCandidate[] {
  const mostOf = ({ shares }: WeighedCandidate) => Math.max(...shares);
  const largest = all.toSorted((a, b) => mostOf(b) - mostOf(a)).slice(0, MAX_MEMBERS);
  const kept = all.filter((one) => largest.includes(one) && mostOf(one) > 0);
  const totals = leadGroups.map((_, group) => kept.reduce((sum, { shares }) => sum + shares[group]!, 0));
  return kept.map((one) => ({
    ...one,
    shares: one.shares.map((share, group) => share / (totals[group]! || 1)),
  }));
}

/** Indices of the leads of a group that some origin observes. */
function placesOf(arena: Arena, group: number): number[] {
  const { leads, origins } = arena.plan;
  return [...leads.keys()].filter(
    (i) =>
      groupOf(arena.bounds, leads[i]!) === group &&
      origins.some((origin) => Number.isFinite(observedAt(arena, origin, leads[i]!))),
  );
}

/** NaN where nothing was observed, or the forecast is spoiled. */
function observedAt({ column, isSpoiled }: Arena, origin: number, lead: number): number {
  return isSpoiled?.(origin, lead) ? Number.NaN : (column[origin + lead] ?? Number.NaN);
}

/** Observed minus forecast by origin, at some of the leads; NaN where either is missing. */
export function errorsOf(
  arena: Arena,
  forecasts: Candidate["forecasts"],
  places: readonly number[] = [...arena.plan.leads.keys()],
): readonly Float64Array[] {
  const { origins, leads } = arena.plan;
  return origins.map((origin, o) =>
    Float64Array.from(places, (i) => observedAt(arena, origin, leads[i]!) - forecasts[o]![i]!),
  );
}

/** Median of errors that all have one sign and are alike, by origin; 0 otherwise. */
function biasOf(errors: readonly Float64Array[]): number {
  const medians = errors.map((row) => medianOf(row)).filter(Number.isFinite);
  if (medians.length < MIN_ORIGINS) return 0;
  const bias = medianOf(medians);
  const alike = medians.filter((value) => value / bias > LEAST_ALIKE).length / medians.length;
  return alike >= ONE_SIDE ? bias : 0;
}

/**
 * Error of each candidate, as a share of that of all: over the origins that it forecasts from. Newer origins count more,
 * and those that no candidate foresees, as before a step, less. Few errors are completed by the scores of nearer leads.
 */
function scoresOf(
  errors: readonly (readonly Float64Array[])[],
  { nearer, bias }: { readonly nearer: readonly number[]; readonly bias: readonly number[] },
): number[] {
  // A correction is as uncertain as it is large.
  const means = errors.map((own, k) =>
    own.map((row) => meanMagnitude(row) + BIAS_PRICE * Math.abs(bias[k]!)),
  );
  const origins = means[0]!.map((_, o) => o);
  const present = (o: number) => means.map((own) => own[o]!).filter(Number.isFinite);
  const best = origins.map((o) => Math.min(...present(o)));
  const usual = origins.map((o) => medianOf(present(o)));
  const typical = medianOf(best.filter(Number.isFinite));
  const weights = origins.map((o) => {
    const recent = OLDEST_WEIGHT + ((1 - OLDEST_WEIGHT) * (o + 1)) / origins.length;
    return recent * (best[o]! > typical ? typical / best[o]! : 1);
  });
  return means.map((own, k) => {
    const seen = origins.filter((o) => Number.isFinite(own[o]!) && weights[o]! > 0);
    if (seen.length === 0) return Number.POSITIVE_INFINITY;
    const sum = (values: readonly number[]) => seen.reduce((total, o) => total + weights[o]! * values[o]!, 0);
    const count = errors[k]!.reduce((total, row) => total + row.filter(Number.isFinite).length, 0);
    const ratio = sum(usual) > 0 ? sum(own) / sum(usual) : sum(own) > 0 ? Number.POSITIVE_INFINITY : 1;
    return (count * ratio + PRIOR_ERRORS * Math.min(1, nearer[k]!)) / (count + PRIOR_ERRORS);
  });
}

/** First within each method, then among the methods. */
function sharesOf(candidates: readonly Candidate[], scores: readonly number[]): number[] {
  const shares = candidates.map(() => 0);
  const methods = [...Map.groupBy(candidates.keys(), (k) => candidates[k]!.member.method).values()];
  const inner = methods.map((own) => weightsOfErrors(own.map((k) => scores[k]!)));
  const outer = weightsOfErrors(
    methods.map((own, m) =>
      own.reduce((sum, k, i) => sum + (inner[m]![i]! > 0 ? inner[m]![i]! * scores[k]! : 0), 0),
    ),
    methods.map(([first]) => candidates[first!]!.prior),
  );
  for (const [m, own] of methods.entries())
    for (const [i, k] of own.entries()) shares[k] = outer[m]! * inner[m]![i]!;
  return [...dropSmall(shares)];
}

/** Weighted mean of corrected forecasts at some leads, over those with a value, without outliers; NaN without any. */
export function blend(
  members: readonly (Weighing & { readonly forecast: ArrayLike<number> })[],
  { leads, bounds }: { readonly leads: ArrayLike<number>; readonly bounds: GroupBounds },
): Float64Array {
  return Float64Array.from({ length: leads.length }, (_, i) => {
    const votes: Vote[] = [];
    for (const { shares, biases, forecast } of members) {
      const share = valueAt(bounds, shares, leads[i]!);
      const value = forecast[i]! + valueAt(bounds, biases, leads[i]!);
      if (Number.isFinite(value) && share > 0) votes.push({ value, share });
    }
    const kept = withoutOutliers(votes);
    const total = kept.reduce((sum, { share }) => sum + share, 0);
    return total > 0 ? kept.reduce((sum, { value, share }) => sum + share * value, 0) / total : Number.NaN;
  });
}

/** Forecasts of a combination from each origin of the plan, at its leads. */
export function combined(
  chosen: readonly WeighedCandidate[],
  { plan, bounds }: Pick<Arena, "plan" | "bounds">,
): readonly Float64Array[] {
  return plan.origins.map((_, o) =>
    blend(
      chosen.map(({ shares, biases, forecasts }) => ({ shares, biases, forecast: forecasts[o]! })),
      { leads: plan.leads, bounds },
    ),
  );
}

/** Mean magnitude of the present errors of all origins; NaN without any. */
export function meanError(errors: readonly Float64Array[]): number {
  return meanMagnitude(errors.flatMap((own) => Array.from(own)));
}
