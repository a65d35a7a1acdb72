// Explanation of a forecast: members with their shares, level, trend, seasons, breaks and errors of the past; pure.
import { leadGroups } from "./lead-groups.ts";
import { kindOf } from "./members/index.ts";
import type { ForecastParameters, WeighedMember } from "./parameters.ts";

/** Figures of near leads, a season ahead, and far ones; null where no past forecast reached them. */
export type ByLead = Readonly<Record<(typeof leadGroups)[number], number | null>>;

export interface ForecastExplanation {
  readonly members: readonly {
    readonly forecaster: string;
    /** In words. */
    readonly text: string;
    /** Shares in the combination. */
    readonly share: ByLead;
  }[];
  /** Level at the end of the history, without season. */
  readonly level: number;
  /** Change per interval that is expected to go on; 0 without a certain one. */
  readonly trend: number;
  /** Changes of level that the history was moved by, the newest last. */
  readonly shifts: readonly { readonly intervals_ago: number; readonly change: number }[];
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
        forecaster: nameMember(member),
        text: member.method === "donut" ? "neural network" : kindOf(member.method).text,
        share: byLead(member.shares ?? leadGroups.map(() => member.weight)),
      })),
    level: facts.level,
    trend: facts.slope,
    shifts: facts.shifts.map(([ago, change]) => ({ intervals_ago: ago, change })),
    special_days: special !== undefined,
    origins: facts.origins,
    error: byLead(facts.errors),
  };
}

function byLead(values: readonly (number | null)[]): ByLead {
  return Object.fromEntries(leadGroups.map((group, k) => [group, values[k] ?? null])) as ByLead;
}

/** As in `theta, week, log`. */
function nameMember(member: WeighedMember): string {
  const season = "season" in member && member.season !== "none" ? [member.season] : [];
  const scale = "scale" in member && member.scale === "log" ? ["log"] : [];
  return [member.method, ...season, ...scale].join(", ");
}
