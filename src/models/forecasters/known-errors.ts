// Expected errors of a combination, estimated from every value of its history: a short one holds few past forecasts; pure.
import type { Outcome } from "./backtest.ts";
import { blend, type WeighedCandidate } from "./competition.ts";
import { bendErrors, levelErrors } from "./history/level-errors.ts";
import type { Scale } from "./history/scale.ts";
import { View } from "./history/view.ts";
import type { Series } from "./local-time.ts";
import { setOf } from "./members/added-cycle.ts";
import { kindOf, type Member, type SimpleMember } from "./members/index.ts";
import type { SeasonSet } from "./season/cycles.ts";
import { historyLength } from "./season/history-length.ts";
import { placesOfSeason } from "./season/profile.ts";
import type { ForecastTrend } from "./trend.ts";

/** Typical errors by lead of the plan, and how many independent ones they are known from. */
export interface KnownErrors {
  readonly errors: readonly number[];
  readonly sample: number;
}

/** Undefined where the history is too short, or the network alone forecasts. */
export function knownErrors(
  { chosen, breaks, arena, last }: Outcome,
  { series, trend }: { readonly series: Series; readonly trend: ForecastTrend | undefined },
): KnownErrors | undefined {
  const simple = chosen.filter(isSimple);
  if (simple.length === 0) return undefined;
  const { leads } = arena.plan;
  const target = { origin: series.column.length, leads, history: historyLength(series) };
  const still = new View(series, target, { trend, breaks: false }, last);
  const moved = last.isBroken ? (breaks ? last : still) : undefined;
  const scale = largest(simple, ({ member }): Scale => ("scale" in member ? member.scale : "linear"));
  const set = largest(simple, seasonsOf);
  const levelsOf = (view: View | undefined, own: SeasonSet) => {
    const level = view?.level(own, scale);
    return level ? [{ ...level, places: placesOfSeason(still.cycles, own, still.length) }] : [];
  };
  // What members take for a season may be a step, as in two weeks.
  const levels = [
    ...levelsOf(moved, set),
    ...levelsOf(still, set),
    ...(moved && moved.breakSet !== set ? levelsOf(moved, moved.breakSet) : []),
  ];
  if (levels.length === 0) return undefined;
  const isBend = largest(simple, ({ member }) => member.method) === "bend";
  const known = isBend ? bendErrors(levels[0]!) : levelErrors(levels, { isSloping: trend === undefined });
  if (!known) return undefined;
  const forecast = blend(
    simple.map((own) => ({
      ...own,
      forecast: kindOf(own.member.method).forecast(own.member, (breaks && moved) || still),
    })),
    { leads, bounds: arena.bounds },
  );
  const errors = leads.map((lead, i) => {
    const value = known.valueAt(lead);
    // Errors of logarithms are shares of the value.
    const error = known.errorAt(lead) * (scale === "log" ? Math.abs(value) : 1);
    return Number.isFinite(forecast[i]!) ? Math.hypot(error, forecast[i]! - value) : error;
  });
  return errors.every(Number.isFinite) ? { errors, sample: known.sample } : undefined;
}

type SimpleCandidate = WeighedCandidate & { readonly member: SimpleMember };

function isSimple(candidate: WeighedCandidate & { readonly member: Member }): candidate is SimpleCandidate {
  return candidate.member.method !== "donut";
}

/** What the members with the largest shares in total have. */
function largest<T extends string>(chosen: readonly SimpleCandidate[], of: (one: SimpleCandidate) => T): T {
  const totals = new Map<T, number>();
  for (const one of chosen) totals.set(of(one), (totals.get(of(one)) ?? 0) + one.shares[0]! + one.shares[1]!);
  return [...totals].toSorted(([, a], [, b]) => b - a)[0]![0];
}

/** The cycles of a member, as a set. */
function seasonsOf({ member }: SimpleCandidate): SeasonSet {
  if (member.method === "seasonal" && member.season === "mixed") return setOf("week", member);
  return kindOf(member.method).seasonOf(member);
}
