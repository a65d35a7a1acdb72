// Calendar conditions of a network: local time of day and day of the week, encoded as numbers; pure.
import { Type } from "@sinclair/typebox";
import type { Series } from "../../../wasm/protocol.ts";
import type { ModelSettings } from "../../core/model/model.ts";
import type { Grid } from "../../core/series/grid.ts";
import { DAY_MS } from "../../core/time/time.ts";
import { offsetsOf } from "../../core/time/timezone.ts";
import { weekdayOf } from "../baseline/local-day.ts";
import { oneOf, type Stored, sizeUpTo, strict } from "../stored-schema.ts";

/** Least number of cycles in a training range. */
const MIN_CYCLES = 2;
/** Least number of intervals in a cycle. */
const MIN_INTERVALS = 4;
/**
 * Harmonics of the time of day: a day, half a day, and so on. With fewer a network hardly learns a job of two hours,
 * with more it learns chance patterns.
 */
const MAX_HARMONICS = 4;
/** Intervals in the shortest harmonic: a clock change would encode unseen times in a shorter one. */
const MIN_INTERVALS_OF_HARMONIC = 3;
const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
/** Amplitudes with a mean square of 1, as that of standardised values. */
const HARMONIC_SIZE = Math.SQRT2;
const WEEKDAY_SIZE = Math.sqrt(weekdays.length);

interface Kind {
  /** Length of the cycle. */
  readonly days: number;
  /** Formula of each number; d = local time since the epoch, in days. */
  readonly columns: (harmonics: number) => readonly string[];
  /** @param days local time since the epoch, in days */
  readonly encode: (days: number, harmonics: number) => readonly number[];
}

export const conditionNames = ["daytime", "weekday"] as const;
export type ConditionName = (typeof conditionNames)[number];

/** In the order of the encoded columns. */
const kinds: Readonly<Record<ConditionName, Kind>> = {
  daytime: { days: 1, columns: daytimeColumns, encode: encodeDaytime },
  weekday: { days: 7, columns: () => weekdays, encode: encodeWeekday },
};

/** The conditions of a network: calendar values of each interval, encoded beside its value. */
export const ConditionsSchema = Type.Object(
  {
    names: Type.Array(oneOf(conditionNames), {
      minItems: 1,
      uniqueItems: true,
      rule: "must be a list of different names, at least one",
    }),
    /** IANA name of the time zone of clock and calendar. */
    timezone: Type.String(),
    /** Number of harmonics of the time of day. */
    waves: sizeUpTo(MAX_HARMONICS),
  },
  strict,
);
export type Conditions = Stored<typeof ConditionsSchema>;

/**
 * The conditions of the settings that a training range covers: the output of a network for a day of the week that it was
 * not trained on is arbitrary.
 * @param range an infinite `length` gives the conditions that intervals of this duration can represent
 */
export function conditionsOf(
  { seasonality, timezone = "UTC" }: Pick<ModelSettings, "seasonality" | "timezone">,
  { intervalMs, length }: Pick<Grid, "intervalMs" | "length">,
): Conditions {
  const names = conditionNames.filter((name) => {
    const cycleMs = kinds[name].days * DAY_MS;
    const isSeen = length * intervalMs >= MIN_CYCLES * cycleMs && intervalMs * MIN_INTERVALS <= cycleMs;
    return seasonality?.[name] === true && isSeen;
  });
  const harmonics = Math.floor(DAY_MS / (MIN_INTERVALS_OF_HARMONIC * intervalMs));
  return { names, timezone, waves: Math.max(1, Math.min(MAX_HARMONICS, harmonics)) };
}

/**
 * Whether a training can continue with the conditions of an earlier network.
 * @param kept conditions of the network
 * @param requested conditions of the settings, which must include the kept ones
 * @param covered conditions that the training range covers, which must be among the kept ones
 */
export function canKeepConditions(
  kept: Conditions | undefined,
  requested: Conditions,
  covered: Conditions,
): boolean {
  const names = kept?.names ?? [];
  const isSameClock = names.length === 0 || kept?.timezone === requested.timezone;
  const areAsked = names.every((name) => requested.names.includes(name));
  return isSameClock && areAsked && covered.names.every((name) => names.includes(name));
}

/** Number of encoded columns. */
export function conditionSize(conditions: Conditions | undefined): number {
  return conditions ? columnsOf(conditions).length : 0;
}

/**
 * Encodes the middle of each interval: with intervals of a day, the start lies on a boundary of days.
 * @param from end of the first window: earlier rows are 0
 * @returns row-major [length, conditionSize]
 */
export function encodeConditions(
  conditions: Conditions | undefined,
  { startAt, intervalMs, length }: Pick<Grid, "startAt" | "intervalMs" | "length">,
  from = 0,
): Float32Array {
  const size = conditionSize(conditions);
  const rows = new Float32Array(length * size);
  if (!conditions || size === 0) return rows;
  const { names, timezone, waves } = conditions;
  const offsetAt = offsetsOf(timezone) ?? (() => 0);
  for (let i = from; i < length; i++) {
    const at = startAt + (i + 0.5) * intervalMs;
    const days = (at + offsetAt(at)) / DAY_MS;
    rows.set(
      names.flatMap((name) => kinds[name].encode(days, waves)),
      i * size,
    );
  }
  return rows;
}

/**
 * Adds the encoded conditions to a series.
 * @param start of the series
 * @param from see `encodeConditions`
 */
export function withConditions(
  series: Series,
  conditions: Conditions | undefined,
  start: Pick<Grid, "startAt" | "intervalMs">,
  from = 0,
): Series {
  if (conditionSize(conditions) === 0) return series;
  const range = { ...start, length: series.values.length };
  return { ...series, conditions: encodeConditions(conditions, range, from) };
}

/** Summary such as `daytime, weekday` or `none`; by feature where they differ. */
export function summariseConditions(
  features: readonly { readonly name: string; readonly conditions?: Conditions | undefined }[],
): string {
  const labels = features.map(({ conditions }) => conditions?.names.join(", ") || "none");
  const isSame = labels.every((label) => label === labels[0]);
  return isSame ? (labels[0] ?? "none") : features.map(({ name }, i) => `${name}: ${labels[i]}`).join("; ");
}

/** Metadata of an exported network: the columns of the condition and their time. */
export function describeConditions(conditions: Conditions | undefined): Record<string, string> {
  if (!conditions || conditionSize(conditions) === 0) return {};
  return {
    conditions: conditions.names.join(", "),
    timezone: conditions.timezone,
    condition_columns: columnsOf(conditions).join(", "),
    condition_time:
      "local time in the time zone at the middle of the interval of a window's last value; d = days since 1970-01-01 00:00, with fraction; the name of a day is sqrt(7) on that day and 0 else",
  };
}

function columnsOf({ names, waves }: Conditions): readonly string[] {
  return names.flatMap((name) => kinds[name].columns(waves));
}

function daytimeColumns(harmonics: number): readonly string[] {
  const angles = Array.from({ length: harmonics }, (_, k) => `2*pi*${k + 1}*d`);
  return angles.flatMap((angle) => [`sqrt(2)*sin(${angle})`, `sqrt(2)*cos(${angle})`]);
}

function encodeDaytime(days: number, harmonics: number): readonly number[] {
  const angles = Array.from({ length: harmonics }, (_, k) => 2 * Math.PI * (k + 1) * days);
  return angles.flatMap((angle) => [HARMONIC_SIZE * Math.sin(angle), HARMONIC_SIZE * Math.cos(angle)]);
}

function encodeWeekday(days: number): readonly number[] {
  const weekday = weekdayOf(Math.floor(days));
  return weekdays.map((_, day) => (day === weekday ? WEEKDAY_SIZE : 0));
}
