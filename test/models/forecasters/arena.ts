// Competitions for tests: a line of 10 an interval that candidates forecast with errors of their own.
import type { Arena, Candidate } from "../../../src/models/forecasters/candidate-errors.ts";
import { groupsOf } from "../../../src/models/forecasters/lead-groups.ts";
import type { Member } from "../../../src/models/forecasters/members/index.ts";
import { leadsTo, makeColumn } from "./support.ts";

export const column = makeColumn(200, (i) => 10 * i);
export const bounds = groupsOf(8);
/** Leads of all groups: two near ones, six of the season, eight far ones. */
export const leads = leadsTo(16);
export const originsOf = (count: number) => Array.from({ length: count }, (_, k) => 60 + 10 * k);

export function arenaOf(origins: readonly number[] = originsOf(12), over: Partial<Arena> = {}): Arena {
  return { column, plan: { horizon: 8, leads, origins }, bounds, ...over };
}

export const level = { method: "level", season: "none", scale: "linear" } as const satisfies Member;
export const drift = { method: "drift", season: "none", scale: "linear" } as const satisfies Member;
export const theta = { method: "theta", season: "none", scale: "linear" } as const satisfies Member;
export const donut = { method: "donut" } as const satisfies Member;

/** Forecast minus truth of the k-th origin at a lead. */
export type ErrorAt = (k: number, lead: number) => number;

export function candidate(member: Member, errorAt: ErrorAt, { plan }: Arena, prior = 1): Candidate {
  const forecasts = plan.origins.map((origin, k) =>
    leads.map((lead) => 10 * (origin + lead) + errorAt(k, lead)),
  );
  return { member, prior, forecasts };
}

/** Errors of one size to both sides, which are no bias. */
export const both = (size: number | ErrorAt): ErrorAt => {
  const sizeAt = typeof size === "number" ? () => size : size;
  return (k, lead) => (k % 2 === 0 ? 1 : -1) * sizeAt(k, lead);
};
