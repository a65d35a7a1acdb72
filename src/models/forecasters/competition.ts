// Competition of members over a backtest: weights and corrections of a constant bias, by group of leads; pure.
import { meanMagnitude } from "../stats/magnitude.ts";
import { medianOf } from "../stats/median.ts";
import {
  type Arena,
  allOrigins,
  type Candidate,
  type GroupErrors,
  type Measured,
} from "./candidate-errors.ts";
import { type GroupBounds, leadGroups, valueAt } from "./lead-groups.ts";
import { type Vote, withoutOutliers } from "./votes.ts";
import { dropSmall, weightsOfErrors } from "./weights.ts";

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

/**
 * Candidates with a share above 0 in some group; the shares of a group add up to 1.
 * @param measured at least one candidate
 * @param origins indices of those that weigh; default: all
 */
export function weighCandidates(
  { arena, candidates, groups }: Measured,
  origins: readonly number[] = allOrigins(arena),
): readonly WeighedCandidate[] {
  const shares = candidates.map((): number[] => []);
  const biases = candidates.map((): number[] => []);
  let scores = candidates.map(() => 1);
  for (const { isObserved, errors } of groups) {
    // Groups that no forecast reaches are weighed as the one before.
    if (!origins.some((o) => isObserved[o])) {
      for (const own of [...shares, ...biases]) own.push(own.at(-1) ?? 1 / candidates.length);
      continue;
    }
    const bias = errors.map((own) => biasOf(own, origins));
    scores = scoresOf(errors, { origins, nearer: scores, bias });
    const own = sharesOf(
      candidates,
      scores.map((score, k) => score * (candidates[k]!.handicap ?? 1)),
    );
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

/** Median of errors that all have one sign and are alike, by origin; 0 otherwise. */
function biasOf({ medians }: GroupErrors, origins: readonly number[]): number {
  const own = origins.map((o) => medians[o]!).filter(Number.isFinite);
  if (own.length < MIN_ORIGINS) return 0;
  const bias = medianOf(own);
  const alike = own.filter((value) => value / bias > LEAST_ALIKE).length / own.length;
  return alike >= ONE_SIDE ? bias : 0;
}

/** Mean magnitude of corrected errors. A correction is as uncertain as it is large. */
function correctedSize({ rows, sizes }: GroupErrors, o: number, bias: number): number {
  if (bias === 0) return sizes[o]!;
  return meanMagnitude(rows[o]!.map((error) => error - bias)) + BIAS_PRICE * Math.abs(bias);
}

/**
 * Error of each candidate, as a share of that of all: over the origins that it forecasts from. Newer origins count more,
 * and those that no candidate foresees, as before a step, less. Few errors are completed by the scores of nearer leads.
 */
function scoresOf(
  errors: readonly GroupErrors[],
  {
    origins,
    nearer,
    bias,
  }: {
    readonly origins: readonly number[];
    readonly nearer: readonly number[];
    readonly bias: readonly number[];
  },
): number[] {
  const means = errors.map((own, k) => origins.map((o) => correctedSize(own, o, bias[k]!)));
  const places = [...origins.keys()];
  const present = (i: number) => means.map((own) => own[i]!).filter(Number.isFinite);
  const best = places.map((i) => Math.min(...present(i)));
  const usual = places.map((i) => medianOf(present(i)));
  const typical = medianOf(best.filter(Number.isFinite));
  const weights = places.map((i) => {
    const recent = OLDEST_WEIGHT + ((1 - OLDEST_WEIGHT) * (i + 1)) / places.length;
    return recent * (best[i]! > typical ? typical / best[i]! : 1);
  });
  return means.map((own, k) => {
    const seen = places.filter((i) => Number.isFinite(own[i]!) && weights[i]! > 0);
    if (seen.length === 0) return Number.POSITIVE_INFINITY;
    const sum = (values: readonly number[]) => seen.reduce((total, i) => total + weights[i]! * values[i]!, 0);
    const count = origins.reduce((total, o) => total + errors[k]!.counts[o]!, 0);
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
  at: { readonly leads: ArrayLike<number>; readonly bounds: GroupBounds },
): Float64Array {
  return blender(members, at)(members.map(({ forecast }) => forecast));
}

/** As `blend`, of forecasts by member: shares and corrections at the leads are found once for those of many origins. */
function blender(
  members: readonly Weighing[],
  { leads, bounds }: { readonly leads: ArrayLike<number>; readonly bounds: GroupBounds },
): (forecasts: readonly ArrayLike<number>[]) => Float64Array {
  const atLeads = (of: (own: Weighing) => readonly number[]) =>
    members.map((own) => Float64Array.from(leads, (lead) => valueAt(bounds, of(own), lead)));
  const shares = atLeads((own) => own.shares);
  const biases = atLeads((own) => own.biases);
  return (forecasts) =>
    Float64Array.from({ length: leads.length }, (_, i) => {
      const votes: Vote[] = [];
      for (const [k, forecast] of forecasts.entries()) {
        const share = shares[k]![i]!;
        const value = forecast[i]! + biases[k]![i]!;
        if (Number.isFinite(value) && share > 0) votes.push({ value, share });
      }
      const kept = withoutOutliers(votes);
      const total = kept.reduce((sum, { share }) => sum + share, 0);
      return total > 0 ? kept.reduce((sum, { value, share }) => sum + share * value, 0) / total : Number.NaN;
    });
}

/** Forecasts of a combination at the leads of the plan. @param origins indices of those they are made from; default: all */
export function combined(
  chosen: readonly WeighedCandidate[],
  { plan, bounds }: Pick<Arena, "plan" | "bounds">,
  origins: readonly number[] = allOrigins({ plan }),
): readonly Float64Array[] {
  const blendOf = blender(chosen, { leads: plan.leads, bounds });
  return origins.map((o) => blendOf(chosen.map(({ forecasts }) => forecasts[o]!)));
}
