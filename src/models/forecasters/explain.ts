// Explanation of a forecast: members with their shares, level, trend, seasons, breaks and errors of the past; pure.
import { leadGroups } from "./lead-groups.ts";
import { kindOf, memberKinds } from "./members/index.ts";
import type { ForecastParameters, WeighedMember } from "./parameters.ts";

/** Figures of near leads, a season ahead, and far ones; null where no past forecast reached them. */
export type ByLead = Readonly<Record<(typeof leadGroups)[number], number | null>>;

/** Names of members without their season and scale, as `state.forecaster` has them. */
export const memberNames = [...Object.keys(memberKinds), "last values", "donut"];

export interface ForecastExplanation {
  readonly members: readonly {
    readonly forecaster: string;
    /** One of `memberNames`. */
    readonly name: string;
    /** In words. */
    readonly text: string;
    /** Mean of its shares. */
    readonly weight: number;
    /** Shares in the combination. */
    readonly share: ByLead;
  }[];
  /** Level at the end of the history, without season. */
  readonly level: number;
  /** Change per interval that is expected to go on; 0 without a certain one. */
  readonly trend: number;
  /** Changes of level that the history was moved by, the newest last. */
  readonly shifts: readonly { readonly intervals_ago: number; readonly change: number }[];
  /** Runs away from the level that are over or fade, which were left out of the history, the oldest first. */
  readonly departures: readonly { readonly intervals_ago: number; readonly intervals: number }[];
  /** The value that the series has for far longer than ever: the forecast stays at it. */
  readonly rest?: number;
  /** Whether holidays or ends of months were left out of the history and added ahead. */
  readonly special_days: boolean;
  /** Forecasts of the past that were compared, and their mean absolute errors. */
  readonly origins: number;
  readonly error: ByLead;
}

/** @returns undefined for versions that kept no facts */
export function explainForecast({
  members,
  facts,
  special,
}: ForecastParameters): ForecastExplanation | undefined {
  if (!facts) return undefined;
  return {
    members: members
      .toSorted((a, b) => b.weight - a.weight)
      .map((member) => ({
        forecaster: describeMember(member),
        name: nameMember(member),
        text: member.method === "donut" ? "neural network" : kindOf(member.method).text,
        weight: member.weight,
        share: byLead(member.shares ?? leadGroups.map(() => member.weight)),
      })),
    level: facts.level,
    trend: facts.slope,
    shifts: facts.shifts.map(([ago, change]) => ({ intervals_ago: ago, change })),
    departures: (facts.departures ?? []).map(([ago, points]) => ({ intervals_ago: ago, intervals: points })),
    ...(facts.rest !== undefined && { rest: facts.rest }),
    special_days: special !== undefined,
    origins: facts.origins,
    error: byLead(facts.errors),
  };
}

function byLead(values: readonly (number | null)[]): ByLead {
  return Object.fromEntries(leadGroups.map((group, k) => [group, values[k] ?? null])) as ByLead;
}

export function nameMember(member: WeighedMember): string {
  return member.method === "seasonal" && member.season === "none" ? "last values" : member.method;
}

/** As in `theta, week, log`. */
function describeMember(member: WeighedMember): string {
  const season = "season" in member && member.season !== "none" ? [member.season] : [];
  const scale = "scale" in member && member.scale === "log" ? ["log"] : [];
  return [member.method, ...season, ...scale].join(", ");
}
