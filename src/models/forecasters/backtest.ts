// Backtest of a forecast: members that compete, their forecasts of the past, and the combination that they earn.
import { countPresent } from "../../core/series/grid.ts";
import { createYielder } from "../../runtime/steps.ts";
import type { Timeline } from "../detectors/timeline.ts";
import { isCertain, partsOf } from "../stats/certain-cycle.ts";
import { meanMagnitude } from "../stats/magnitude.ts";
import {
  type Arena,
  allOrigins,
  type Candidate,
  errorsOf,
  type Measured,
  meanError,
  measureCandidates,
} from "./candidate-errors.ts";
import { combined, type WeighedCandidate, weighCandidates } from "./competition.ts";
import { type Choose, crossValidated } from "./cross-validation.ts";
import { acrossBreaks } from "./history/across-breaks.ts";
import { View } from "./history/view.ts";
import { beginOf, localTimeOf, type Series } from "./local-time.ts";
import { kindOf, lastLevelMember, memberKinds, type SimpleMember } from "./members/index.ts";
import type { Plan } from "./plan.ts";
import { type Cycles, MIN_CYCLES, type SeasonSet } from "./season/cycles.ts";
import { historyLength } from "./season/history-length.ts";
import type { ForecastTrend } from "./trend.ts";

/** Bounds of the work of a fit. */
export interface FitEffort {
  /** Most origins of a backtest. */
  readonly origins: number;
  /** Passes of the fit of smoothing factors. */
  readonly passes: number;
}

export interface FitInput {
  /** The training part; at least one value is there. */
  readonly series: Series;
  /** Absent: no day is special. */
  readonly timeline?: Timeline | undefined;
  /** Index of the first interval that the network was not fitted to. */
  readonly heldOutFrom: number;
  /** "auto": a combination by the backtest. */
  readonly forecaster: "auto" | "seasonal" | "holt-winters" | "donut";
  /** Default: that of a model's training. */
  readonly effort?: FitEffort | undefined;
  /** Length of the forecast that is wanted, in intervals; absent if any may be. */
  readonly asked?: number | undefined;
  /** Forecasts of the network, `horizon` values from each origin, from the points before it. */
  readonly forecastPast?:
    | ((plan: Pick<Plan, "origins" | "horizon">) => Promise<readonly Float64Array[]>)
    | undefined;
}

/** Points that a network needs for its weight of all. */
const NETWORK_POINTS = 1000;
/** Error of forecasts from the present level, relative to those from the history as it is, above which these are used. */
const MAX_BREAK_ERROR = { plain: 1.2, yearly: 1.02, other: 0.98 };
/** Errors after a plain break that may be twice as large by chance. */
const FEW_ERRORS = 3;

/** Handicap of members that take all parts of a cycle for alike that is certain, where the backtest shows only some. */
const UNSEEN_HANDICAP = 2;

export interface Outcome {
  readonly chosen: readonly WeighedCandidate[];
  /** Per origin at the leads of the plan, by weights of other origins: errors are measured by them. */
  readonly validated: readonly Float64Array[];
  readonly breaks: boolean;
  /** What its errors are measured in. */
  readonly arena: Arena;
  /** The view from the end at the leads of the plan, moved to the present level after breaks. */
  readonly last: View;
}

/** The combination; the history is moved to the present level after breaks unless that made past forecasts worse. */
export async function compete(
  input: FitInput,
  {
    arena,
    trend,
    seen,
  }: {
    readonly arena: Arena;
    readonly trend: ForecastTrend | undefined;
    /** A view from the end, whose decompositions are shared. */
    readonly seen?: View | undefined;
  },
  signal: AbortSignal,
): Promise<Outcome> {
  const { series, heldOutFrom } = input;
  const history = historyLength(series);
  const before = new View(series, { origin: heldOutFrom, leads: [], history }, { trend, breaks: false });
  const proposed = await propose(input, { before, horizon: arena.plan.horizon }, signal);
  const [network, run] = await Promise.all([
    runNetwork(input, arena.plan),
    runMembers(proposed, { input, plan: arena.plan, trend, seen, before }, signal),
  ]);
  const combine = (simple: readonly Candidate[], own: Arena, breaks: boolean) => {
    const measured = measureCandidates(own, [...simple, ...network]);
    const chosen = choose(measured);
    return { measured, chosen, forecasts: combined(chosen, own), breaks, arena: own, last: run.last };
  };
  const finish = (found: ReturnType<typeof combine>): Outcome => ({
    ...found,
    validated: crossValidated(found.measured, { ...found, choose }),
  });
  if (!run.still) return finish(combine(run.moved, arena, true));
  const since = { ...arena, isSpoiled: acrossBreaks(series, run.last) };
  const moved = combine(run.moved, since, true);
  const still = combine(run.still, since, false);
  const [error, other] = [moved, still].map(({ forecasts }) => scoreOf(since, forecasts));
  const kind = run.last.isPlain ? (run.last.mayBeYearly ? "yearly" : "plain") : "other";
  const count = errorsOf(since, moved.forecasts).reduce((sum, own) => sum + countPresent(own), 0);
  const most = MAX_BREAK_ERROR[kind] * (kind === "plain" ? 1 + FEW_ERRORS / count : 1);
  return error! > most * other! ? finish(combine(run.still, arena, false)) : finish(moved);
}

/** Error of a combination, relative to that of repeating the last cycle or value, above which that alone is used. */
const MAX_REPETITION_ERROR = 1.05;

const choose: Choose = (measured, origins) =>
  orRepetition(weighCandidates(measured, origins), measured, origins);

/** The combination, or the repetition that would have been clearly better: what is simple must be beaten. */
export function orRepetition(
  chosen: readonly WeighedCandidate[],
  { arena, candidates }: Measured,
  origins: readonly number[] = allOrigins(arena),
): readonly WeighedCandidate[] {
  const errorOf = (forecasts: Candidate["forecasts"]) => meanError(errorsOf(arena, forecasts, origins));
  const repetitions = candidates.flatMap((own) => {
    if (own.member.method !== "repeat") return [];
    const forecasts = origins.map((o) => own.forecasts[o]!);
    const isWhole = forecasts.every((row) => Array.from(row).every(Number.isFinite));
    return isWhole ? [{ own, error: errorOf(forecasts) * (own.handicap ?? 1) }] : [];
  });
  const [best] = repetitions.toSorted((a, b) => a.error - b.error);
  if (!best || !(errorOf(combined(chosen, arena, origins)) > MAX_REPETITION_ERROR * best.error))
    return chosen;
  return weighCandidates(measureCandidates(arena, [best.own]), origins);
}

/** Error of the forecasts of the near and the season group; the typical origin counts, as a step spoils all before it. */
function scoreOf(arena: Arena, forecasts: readonly Float64Array[]): number {
  const errors = errorsOf(arena, forecasts).map((own) => meanMagnitude(own));
  const present = errors.filter(Number.isFinite);
  return present.reduce((sum, error) => sum + Math.sqrt(error), 0) / present.length;
}

/** Fewer points say no more than the last level. */
const MIN_POINTS = 5;

async function propose(
  { series, forecaster, effort }: FitInput,
  { before, horizon }: { readonly before: View; readonly horizon: number },
  signal: AbortSignal,
): Promise<readonly SimpleMember[]> {
  const points = series.column.length - beginOf(series.column);
  const proposal = {
    series,
    points,
    before,
    horizon,
    isAlone: forecaster !== "auto",
    passes: effort?.passes,
  };
  if (forecaster === "auto" && countPresent(series.column) < MIN_POINTS) return [lastLevelMember];
  const proposed: SimpleMember[] = [];
  for (const kind of Object.values(memberKinds))
    if (forecaster === "auto" || forecaster === kind.method)
      proposed.push(...((await kind.propose(proposal, signal)) as SimpleMember[]));
  return proposed;
}

interface MembersRun {
  /** From histories that are moved to the present level after breaks. */
  readonly moved: readonly Candidate[];
  /** From histories as they are; absent where none has a break. */
  readonly still?: readonly Candidate[];
  /** The view from the end at the leads of the plan, moved to the present level after breaks. */
  readonly last: View;
}

async function runMembers(
  members: readonly SimpleMember[],
  {
    input: { series, heldOutFrom },
    plan,
    trend,
    seen,
    before,
  }: {
    readonly input: FitInput;
    readonly plan: Plan;
    readonly trend: ForecastTrend | undefined;
    readonly seen: View | undefined;
    /** View from the first interval that is held out, where the origins begin. */
    readonly before: View;
  },
  signal: AbortSignal,
): Promise<MembersRun> {
  const history = historyLength(series);
  const moved = members.map((): Float64Array[] => []);
  const still = members.map((): Float64Array[] => []);
  const ahead = { origin: series.column.length, leads: plan.leads, history };
  const last = new View(series, ahead, { trend, breaks: true }, seen);
  const lastAsItIs = last.isBroken ? new View(series, ahead, { trend, breaks: false }, last) : last;
  let { isBroken } = last;
  const pause = createYielder(signal);
  for (const origin of plan.origins) {
    const target = { origin, leads: plan.leads, history };
    const same = origin === heldOutFrom ? before : undefined;
    const view = new View(series, target, { trend, breaks: true }, same);
    const plain = view.isBroken ? new View(series, target, { trend, breaks: false }, view) : view;
    isBroken ||= view.isBroken;
    for (const [k, member] of members.entries()) {
      const kind = kindOf(member.method);
      const forecast = kind.forecast(member, view);
      moved[k]!.push(forecast);
      still[k]!.push(view === plain ? forecast : kind.forecast(member, plain));
      await pause();
    }
  }
  const unseen = unseenCycle(series, { heldOutFrom, cycles: last.cycles });
  const candidatesOf = (forecasts: readonly Float64Array[][], end: View) => {
    const all = members.map((member, k): Candidate & { readonly member: SimpleMember } => {
      const { prior, seasonOf } = kindOf(member.method);
      const handicap = unseen && !tells(seasonOf(member), unseen) ? UNSEEN_HANDICAP : 1;
      return { member, prior, handicap, forecasts: forecasts[k]! };
    });
    const able = all.filter(({ member }) => isAbleAt(member, end));
    return able.length > 0 ? able : all;
  };
  return {
    moved: candidatesOf(moved, last),
    ...(isBroken && { still: candidatesOf(still, lastAsItIs) }),
    last,
  };
}

/** Whether a member forecasts anything from the end: one that found a bend in the past may find none now. */
function isAbleAt(member: SimpleMember, end: View): boolean {
  return kindOf(member.method).forecast(member, end).some(Number.isFinite);
}

/** The longest cycle that is certain, but of which the backtest holds only a part; undefined: it shows all. */
function unseenCycle(
  series: Series,
  { heldOutFrom, cycles }: { readonly heldOutFrom: number; readonly cycles: Cycles },
): keyof Cycles | undefined {
  const { column } = localTimeOf(series);
  const { length: end } = series.column;
  // Of days, members that know the year are too few for the width of the band.
  const names = cycles.week ? (["week", "day"] as const) : (["year", "day"] as const);
  return names.find((name) => {
    const { [name]: length = 0 } = cycles;
    // Members that tell it need two before an origin.
    const from = Math.max(heldOutFrom, beginOf(series.column) + MIN_CYCLES * length);
    return length > 0 && end - from < length && isCertain(column, { length, parts: partsOf[name] });
  });
}

/** A week tells the parts of a day apart, too. */
function tells(set: SeasonSet, cycle: keyof Cycles): boolean {
  return set.includes(cycle) || (cycle === "day" && set.includes("week"));
}

async function runNetwork(
  { heldOutFrom, forecaster, forecastPast }: FitInput,
  plan: Plan,
): Promise<readonly Candidate[]> {
  if (!forecastPast || (forecaster !== "auto" && forecaster !== "donut")) return [];
  const whole = await forecastPast(plan);
  const forecasts = whole.map((values) => plan.leads.map((lead) => values[lead] ?? Number.NaN));
  const prior = Math.min(1, heldOutFrom / NETWORK_POINTS);
  return [{ member: { method: "donut" }, prior, forecasts }];
}
