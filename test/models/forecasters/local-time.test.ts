// Seasons by local time: a job at nine stays at nine across clock changes.
import { describe, expect, test } from "bun:test";
import { offsetsOf } from "../../../src/core/time/timezone.ts";
import { fitForecast } from "../../../src/models/forecasters/fit.ts";
import { View } from "../../../src/models/forecasters/history/view.ts";
import { createSeries, localTimeOf, type Series } from "../../../src/models/forecasters/local-time.ts";
import { kindOf, type SimpleMember } from "../../../src/models/forecasters/members/index.ts";
import { seasonalMembers } from "../../../src/models/forecasters/members/seasonal.ts";
import { predictFeature } from "../../../src/models/forecasters/predict.ts";
import { historyLength } from "../../../src/models/forecasters/season/history-length.ts";
import { DAY, HOUR, leadsTo, makeColumn, makeNoise, signal } from "./support.ts";

const MINUTE = 60_000;
const PARIS = "Europe/Paris";
/** The nights on which the clock was set, in UTC. */
const FORWARD = Date.UTC(2026, 2, 29, 1);
const BACK = Date.UTC(2026, 9, 25, 1);

const rhythmOf = (startAt: number, timezone?: string, intervalMs = HOUR) => ({
  startAt,
  intervalMs,
  offsetAt: offsetsOf(timezone),
});

/** 100 while the clock in Paris shows nine to twelve, 10 else. */
function jobAtNine(startAt: number, length: number, noise = () => 0): Float64Array {
  const offsetAt = offsetsOf(PARIS)!;
  return makeColumn(length, (i) => {
    const at = startAt + i * HOUR;
    const hour = Math.floor((at + offsetAt(at)) / HOUR) % 24;
    return (hour >= 9 && hour < 12 ? 100 : 10) + noise();
  });
}

const members: readonly SimpleMember[] = [
  ...seasonalMembers({ day: DAY, week: 7 * DAY }),
  {
    method: "holt-winters",
    seasons: { day: DAY },
    smoothing: { level: 0.03, trend: 0, damping: 0.99, day: 0.15, week: 0, memory: 0 },
  },
  { method: "level", season: "day", scale: "linear" },
];
const nameOf = (member: SimpleMember) => `${member.method} ${"season" in member ? member.season : "day"}`;

interface Targets {
  readonly origins: readonly number[];
  readonly leads: readonly number[];
}

/** Forecasts of a member from each origin. */
function predictSimple(member: SimpleMember, series: Series, { origins, leads }: Targets) {
  const history = historyLength(series);
  return origins.map((origin) => {
    const view = new View(series, { origin, leads, history }, { breaks: false });
    return kindOf(member.method).forecast(member, view);
  });
}

describe.each([
  ["forward", FORWARD, 7],
  ["back", BACK, 8],
] as const)("the clock is set %s", (_, changeAt, hour) => {
  const startAt = changeAt - HOUR - 35 * DAY * HOUR;
  // Two days after the change, at midnight in UTC: what was seen is mostly from before.
  const length = 37 * DAY;
  const column = jobAtNine(startAt, length);
  const targets = { origins: [length], leads: leadsTo(DAY) };
  const nineOf = (values: Float64Array) => values.findIndex((value) => value > 55);

  test.each(members.map((member) => [nameOf(member), member] as const))("%s", (_, member) => {
    const [local] = predictSimple(member, createSeries(column, rhythmOf(startAt, PARIS)), targets);
    expect(nineOf(local!)).toBe(hour);
    const [utc] = predictSimple(member, createSeries(column, rhythmOf(startAt)), targets);
    expect(nineOf(utc!)).not.toBe(hour);
  });

  test("what a training chooses and remembers", async () => {
    const noise = makeNoise(3);
    const noisy = jobAtNine(startAt, length, noise);
    const forecastPast = async ({ origins, horizon }: { origins: readonly number[]; horizon: number }) =>
      origins.map(() => new Float64Array(horizon));
    const forecastIn = async (timezone?: string) => {
      const series = createSeries(noisy, rhythmOf(startAt, timezone));
      const fit = { series, heldOutFrom: 26 * DAY, forecaster: "auto" as const, forecastPast };
      const parameters = await fitForecast(fit, signal);
      const input = { series, horizon: DAY, levels: [0.68], network: () => new Float64Array(DAY) };
      return (await predictFeature(parameters, input, signal)).predicted;
    };
    expect(nineOf(await forecastIn(PARIS))).toBe(hour);
    expect(nineOf(await forecastIn())).not.toBe(hour);
  });

  test("a forecast over the change", () => {
    const origin = 34 * DAY + 12;
    const series = createSeries(column.subarray(0, origin), rhythmOf(startAt, PARIS));
    for (const member of members) {
      const [predicted] = predictSimple(member, series, { origins: [origin], leads: leadsTo(3 * DAY) });
      const nines = Array.from(predicted!.entries()).filter(([, value]) => value > 50);
      const truth = Array.from(jobAtNine(startAt + origin * HOUR, 3 * DAY).entries()).filter(
        ([, v]) => v > 50,
      );
      expect(nines.map(([i]) => i)).toEqual(truth.map(([i]) => i));
    }
  });

  test("what comes after an origin changes nothing, also within the hours of the change", () => {
    const from = 34 * DAY + 20;
    const origins = Array.from({ length: 12 }, (_, k) => from + k);
    const wanted = { origins, leads: leadsTo(DAY) };
    for (const member of members) {
      const whole = predictSimple(member, createSeries(column, rhythmOf(startAt, PARIS)), wanted);
      for (const [k, origin] of origins.entries()) {
        const cut = createSeries(column.slice(0, origin), rhythmOf(startAt, PARIS));
        const [own] = predictSimple(member, cut, { ...wanted, origins: [origin] }).slice(-1);
        if (member.method !== "holt-winters") expect(own).toEqual(whole[k]!);
        expect(Array.from(whole[k]!).every(Number.isFinite)).toBe(true);
      }
    }
  });
});

describe("layout", () => {
  const quarter = 15 * MINUTE;
  const lay = (startAt: number, length: number, timezone?: string, intervalMs = quarter) =>
    localTimeOf(
      createSeries(
        makeColumn(length, (i) => i),
        rhythmOf(startAt, timezone, intervalMs),
      ),
    );

  test("in UTC, and where the clock is never set, nothing moves", () => {
    const column = makeColumn(10, (i) => i);
    expect(createSeries(column, rhythmOf(0))).toEqual({ column, intervalMs: HOUR });
    const { column: india, placeOf, startOf } = lay(BACK - quarter, 10, "Asia/Kolkata");
    expect(Array.from(india)).toEqual(Array.from(column));
    expect([placeOf(7), startOf(7), placeOf(100)]).toEqual([7, 7, 100]);
  });

  test("an hour that there is not is missing", () => {
    const { column, placeOf, startOf } = lay(FORWARD - 2 * quarter, 4, PARIS);
    expect(Array.from(column)).toEqual([0, 1, ...new Array(4).fill(Number.NaN), 2, 3]);
    expect([placeOf(1), placeOf(2), placeOf(9)]).toEqual([1, 6, 13]);
    expect([startOf(1), startOf(2), startOf(3)]).toEqual([1, 2, 7]);
  });

  test("of an hour that there is twice the first counts", () => {
    const { column, placeOf, startOf } = lay(BACK - 4 * quarter, 10, PARIS);
    expect(Array.from(column)).toEqual([0, 1, 2, 3, 8, 9]);
    expect([placeOf(3), placeOf(4), placeOf(8)]).toEqual([3, 0, 4]);
    expect([startOf(3), startOf(4), startOf(6), startOf(8)]).toEqual([3, 4, 4, 4]);
  });

  test.each([2, 6, 24])("an hour moves nothing in intervals of %d hours", (hours) => {
    const { column } = lay(BACK - hours * HOUR * 5, 10, PARIS, hours * HOUR);
    expect(Array.from(column)).toEqual(Array.from({ length: 10 }, (_, i) => i));
  });

  test("an empty history has a place for what comes", () => {
    const { column, startOf, placeOf } = lay(BACK, 0, PARIS);
    expect([column.length, startOf(0), placeOf(0)]).toEqual([0, 0, 0]);
  });
});
