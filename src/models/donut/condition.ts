// The calendar as conditions of the network: the local time of day and day of the week of each interval, in numbers; pure.

import { Type } from "@sinclair/typebox";
import type { Series } from "../../../wasm/protocol.ts";
import type { ModelSettings } from "../../core/model/model.ts";
import type { Grid } from "../../core/series/grid.ts";
import { offsetsOf } from "../../core/time/timezone.ts";
import { DAY_MS } from "../detectors/timeline.ts";
import { oneOf, type Stored, sizeUpTo, strict } from "../stored-schema.ts";

/** The epoch began on a Thursday: so many days into a week that begins on Monday. */
const EPOCH_WEEKDAY = 3;
/** From fewer rounds than this no time of day, or of week, can be learnt. */
const MIN_CYCLES = 2;
/** A round in fewer intervals has no shape. */
const MIN_INTERVALS = 4;
/**
 * Waves that the time of day is told in: a day, half a day, and so forth. With two of them a network hardly learns a
 * job of two hours, with eight it takes chance for a habit (best F1 on cpu4, three seeds: 0.48, 0.49 with four, 0.43).
 */
export const MAX_HARMONICS = 4;
/** A shorter wave would tell a change of clocks as a time of day that was never seen. */
const MIN_INTERVALS_OF_HARMONIC = 3;
const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
/** Numbers are as large as standardised values are: their mean square is 1. */
const HARMONIC_SIZE = Math.SQRT2;
const WEEKDAY_SIZE = Math.sqrt(weekdays.length);

interface Kind {
  /** Days of one round. */
  readonly days: number;
  /** What its numbers are, one each, with d for the local time since the epoch in days. */
  readonly columns: (waves: number) => readonly string[];
  /** @param days local time since the epoch, in days */
  readonly encode: (days: number, waves: number) => readonly number[];
}

export const conditionNames = ["daytime", "weekday"] as const;
export type ConditionName = (typeof conditionNames)[number];

/** In the order of their numbers. */
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
 * What the settings ask for, as far as a training range can teach it. A network that has seen no Sunday would make
 * anything of being told that it is one.
 * @param range its `length` may be infinite: all that intervals of this length can show
 */
export function conditionsOf(
  { seasonality, timezone = "UTC" }: Pick<ModelSettings, "seasonality" | "timezone">,
  { intervalMs, length }: Pick<Grid, "intervalMs" | "length">,
): Conditions {
  const names = conditionNames.filter((name) => {
    const roundMs = kinds[name].days * DAY_MS;
    const isSeen = length * intervalMs >= MIN_CYCLES * roundMs && intervalMs * MIN_INTERVALS <= roundMs;
    return seasonality?.[name] === true && isSeen;
  });
  const waves = Math.floor(DAY_MS / (MIN_INTERVALS_OF_HARMONIC * intervalMs));
  return { names, timezone, waves: Math.max(1, Math.min(MAX_HARMONICS, waves)) };
}

/**
 * Whether a training can go on with a network of the conditions `kept`: all of them are still asked for, and nothing
 * else that the range can teach is.
 */
export function canKeepConditions(
  kept: Conditions | undefined,
  asked: Conditions,
  taught: Conditions,
): boolean {
  const names = kept?.names ?? [];
  const isSameClock = names.length === 0 || kept?.timezone === asked.timezone;
  const areAsked = names.every((name) => asked.names.includes(name));
  return isSameClock && areAsked && taught.names.every((name) => names.includes(name));
}

/** Numbers per interval. */
export function conditionSize(conditions: Conditions | undefined): number {
  return conditions ? columnsOf(conditions).length : 0;
}

/**
 * Row-major [length, conditionSize], of the middle of each interval: a whole day begins at midnight in one zone only.
 * @param from the first interval that a window ends with: rows before it are 0
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

/** As in `daytime, weekday`, or `none`; by feature where they differ. */
export function summariseConditions(
  features: readonly { readonly name: string; readonly conditions?: Conditions | undefined }[],
): string {
  const labels = features.map(({ conditions }) => conditions?.names.join(", ") || "none");
  const isSame = labels.every((label) => label === labels[0]);
  return isSame ? (labels[0] ?? "none") : features.map(({ name }, i) => `${name}: ${labels[i]}`).join("; ");
}

/** For programs that make conditions themselves: what the columns are, and of which time. */
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

function daytimeColumns(waves: number): readonly string[] {
  const angles = Array.from({ length: waves }, (_, k) => `2*pi*${k + 1}*d`);
  return angles.flatMap((angle) => [`sqrt(2)*sin(${angle})`, `sqrt(2)*cos(${angle})`]);
}

function encodeDaytime(days: number, waves: number): readonly number[] {
  const angles = Array.from({ length: waves }, (_, k) => 2 * Math.PI * (k + 1) * days);
  return angles.flatMap((angle) => [HARMONIC_SIZE * Math.sin(angle), HARMONIC_SIZE * Math.cos(angle)]);
}

function encodeWeekday(days: number): readonly number[] {
  const whole = Math.floor(days) + EPOCH_WEEKDAY;
  const weekday = ((whole % weekdays.length) + weekdays.length) % weekdays.length;
  return weekdays.map((_, day) => (day === weekday ? WEEKDAY_SIZE : 0));
}
