// Errors of candidates by group of leads and origin: measured once, weighed over all origins and over parts of them; pure.
import { meanMagnitude } from "../stats/magnitude.ts";
import { medianOf } from "../stats/median.ts";
import { type GroupBounds, groupOf, leadGroups } from "./lead-groups.ts";
import type { Member } from "./members/index.ts";
import type { Plan } from "./plan.ts";

/** A member and its forecasts from each origin, at the leads of the plan. */
export interface Candidate {
  readonly member: Member;
  /** Weight before the backtest. */
  readonly prior: number;
  /** Factor on its errors, of what the backtest does not show; absent: 1. */
  readonly handicap?: number;
  readonly forecasts: readonly ArrayLike<number>[];
}

export interface Arena {
  /** The training part. */
  readonly column: Float64Array;
  readonly plan: Plan;
  /** Whether a forecast says nothing of the present: a break, known by now, lies between its origin and its lead. */
  readonly isSpoiled?: ((origin: number, lead: number) => boolean) | undefined;
  readonly bounds: GroupBounds;
}

/** Errors of a candidate in a group of leads, by origin. */
export interface GroupErrors {
  /** Observed minus forecast; NaN where either is missing. */
  readonly rows: readonly Float64Array[];
  /** Medians, mean magnitudes and numbers of the present errors. */
  readonly medians: readonly number[];
  readonly sizes: readonly number[];
  readonly counts: readonly number[];
}

/** Candidates, and their errors at each group of leads. */
export interface Measured {
  readonly arena: Arena;
  readonly candidates: readonly Candidate[];
  readonly groups: readonly {
    /** Whether an origin observes a lead of the group. */
    readonly isObserved: readonly boolean[];
    /** By candidate. */
    readonly errors: readonly GroupErrors[];
  }[];
}

/** Errors of candidates over all origins, in units of the data. */
export function measureCandidates(arena: Arena, candidates: readonly Candidate[]): Measured {
  const { leads, origins } = arena.plan;
  const groups = leadGroups.map((_, group) => {
    const places = [...leads.keys()].filter((i) => groupOf(arena.bounds, leads[i]!) === group);
    const observed = origins.map((origin) =>
      Float64Array.from(places, (i) => observedAt(arena, origin, leads[i]!)),
    );
    const errors = candidates.map(({ forecasts }) =>
      summarise(observed.map((row, o) => row.map((value, i) => value - forecasts[o]![places[i]!]!))),
    );
    return { isObserved: observed.map((row) => row.some(Number.isFinite)), errors };
  });
  return { arena, candidates, groups };
}

function summarise(rows: readonly Float64Array[]): GroupErrors {
  return {
    rows,
    medians: rows.map(medianOf),
    sizes: rows.map(meanMagnitude),
    counts: rows.map((row) => row.filter(Number.isFinite).length),
  };
}

/** Indices of all origins. */
export function allOrigins({ plan }: Pick<Arena, "plan">): readonly number[] {
  return [...plan.origins.keys()];
}

/** NaN where nothing was observed, or the forecast is spoiled. */
function observedAt({ column, isSpoiled }: Arena, origin: number, lead: number): number {
  return isSpoiled?.(origin, lead) ? Number.NaN : (column[origin + lead] ?? Number.NaN);
}

/**
 * Observed minus forecast at the leads of the plan; NaN where either is missing.
 * @param forecasts one of each of `origins`
 */
export function errorsOf(
  arena: Arena,
  forecasts: Candidate["forecasts"],
  origins: readonly number[] = allOrigins(arena),
): readonly Float64Array[] {
  const { leads } = arena.plan;
  return origins.map((o, k) =>
    Float64Array.from(
      leads,
      (lead, i) => observedAt(arena, arena.plan.origins[o]!, lead) - forecasts[k]![i]!,
    ),
  );
}

/** Mean magnitude of the present errors of all origins; NaN without any. */
export function meanError(errors: readonly Float64Array[]): number {
  return meanMagnitude(errors.flatMap((own) => Array.from(own)));
}
