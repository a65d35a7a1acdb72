// Repetition of the last cycle, or of the last value, with the slope from year to year.
import { Type } from "@sinclair/typebox";
import { MAD_TO_DEVIATION, medianOf } from "../../stats/median.ts";
import { oneOf, type Stored, strict } from "../../stored-schema.ts";
import { type Cycles, setsIn } from "../season/cycles.ts";
import type { MemberKind } from "./kind.ts";

/** Of a week and a year: the same day of the week, about a year ago. */
const seasons = ["none", "day", "week", "year", "week+year", "extra"] as const;

export const RepeatMemberSchema = Type.Object(
  { method: Type.Literal("repeat"), season: oneOf(seasons) },
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
      .filter((set): set is RepeatMember["season"] => seasons.some((season) => season === set))
      .map((season) => ({ method: "repeat", season })),
  forecast: ({ season }, view) => {
    const repetition = repetitionOf(season, view.cycles);
    const isYearly = season === "year" || season === "week+year";
    const slope = isYearly && !view.isFlat ? slopeOver(view.column, lagOf(repetition, 1)) : 0;
    return view.restore(
      Float64Array.from(view.leads, (lead) => lastAt(view.column, lead, { ...repetition, slope })),
    );
  },
};

interface Repetition {
  /** In intervals. */
  readonly cycle: number;
  /** Intervals that the distance is a multiple of. */
  readonly unit: number;
}

function repetitionOf(season: RepeatMember["season"], cycles: Cycles): Repetition {
  if (season === "none") return { cycle: 1, unit: 1 };
  if (season === "week+year") return { cycle: cycles.year!, unit: cycles.week! };
  return { cycle: cycles[season] ?? Number.POSITIVE_INFINITY, unit: 1 };
}

/** Intervals of some cycles. */
function lagOf({ cycle, unit }: Repetition, cycles: number): number {
  return unit * Math.round((cycles * cycle) / unit);
}

/** Change per interval, from one cycle to the next; 0 where it is not certain. */
function slopeOver(column: Float64Array, lag: number): number {
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
  repetition: Repetition & { readonly slope: number },
): number {
  const first = Math.max(1, Math.floor(lead / repetition.cycle) + 1);
  for (let k = first; k < first + MAX_CYCLES; k++) {
    const lag = lagOf(repetition, k);
    const value = column[Math.round(column.length + lead - lag)];
    if (value !== undefined && Number.isFinite(value)) return value + repetition.slope * lag;
  }
  return Number.NaN;
}
