// Repetition of the last cycle, or of the last value, with the slope from year to year.
import { Type } from "@sinclair/typebox";
import { MAD_TO_DEVIATION, medianOf } from "../../stats/median.ts";
import { oneOf, type Stored, strict } from "../../stored-schema.ts";
import { cyclesOf, setsIn } from "../season/cycles.ts";
import type { MemberKind } from "./kind.ts";

export const RepeatMemberSchema = Type.Object(
  { method: Type.Literal("repeat"), season: oneOf(["none", "day", "week", "year", "extra"] as const) },
  strict,
);
export type RepeatMember = Stored<typeof RepeatMemberSchema>;

/** Cycles back that a missing value is looked for. */
const MAX_CYCLES = 4;
/** Least change from one cycle to the next, in standard errors, that goes on. */
const MIN_CHANGE = 3;

export const repeat: MemberKind<RepeatMember> = {
  method: "repeat",
  text: "repetition of the last cycle",
  schema: RepeatMemberSchema,
  prior: 0.5,
  seasonOf: ({ season }) => season,
  propose: ({ before, points }) =>
    setsIn(before.cycles, points, 1)
      .filter((set): set is RepeatMember["season"] => !set.includes("+"))
      .map((season) => ({ method: "repeat", season })),
  forecast: ({ season }, view) => {
    const [{ length } = { length: 1 }] = cyclesOf(view.cycles, season);
    const own = {
      cycle: length,
      slope: season === "year" && !view.isFlat ? slopeOver(view.column, length) : 0,
    };
    return view.restore(Float64Array.from(view.leads, (lead) => lastAt(view.column, lead, own)));
  },
};

/** Change per interval, from one cycle to the next; 0 where it is not certain. */
function slopeOver(column: Float64Array, cycle: number): number {
  const lag = Math.round(cycle);
  const changes = column.subarray(Math.max(lag, column.length - lag)).map((value, k, own) => {
    return value - column[column.length - own.length + k - lag]!;
  });
  const change = medianOf(changes);
  const error =
    (MAD_TO_DEVIATION * medianOf(changes.map((own) => Math.abs(own - change)))) / Math.sqrt(changes.length);
  return Math.abs(change) > MIN_CHANGE * error ? change / lag : 0;
}

function lastAt(
  column: Float64Array,
  lead: number,
  { cycle, slope }: { readonly cycle: number; readonly slope: number },
): number {
  const first = Math.max(1, Math.floor(lead / cycle) + 1);
  for (let k = first; k < first + MAX_CYCLES; k++) {
    const value = column[Math.round(column.length + lead - k * cycle)];
    if (value !== undefined && Number.isFinite(value)) return value + slope * k * cycle;
  }
  return Number.NaN;
}
