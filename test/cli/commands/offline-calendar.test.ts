// Commands detect and forecast: steps of the calendar, time zone of the data, holidays and limits.
import { describe, expect, test } from "bun:test";
import { run } from "../fake-terminal.ts";

const DAY = 86_400_000;
const isoOf = (at: number) => new Date(at).toISOString().replace(".000Z", "Z");
const csvOf = (instants: readonly number[], valueAt = (i: number, _at: number) => 100 + i) =>
  ["time,value", ...instants.map((at, i) => `${isoOf(at)},${valueAt(i, at)}`), ""].join("\n");
const days = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i * DAY);

const monthEnds = csvOf(Array.from({ length: 24 }, (_, i) => Date.UTC(2019, i + 1, 0)));
const quarters = csvOf(Array.from({ length: 12 }, (_, i) => Date.UTC(2019, 3 * i + 3, 0)));
const workdays = csvOf(days(Date.UTC(2024, 0, 1), 28).filter((at) => new Date(at).getUTCDay() % 6 > 0));
/** Midnights in Berlin, the last one before the clock changes. */
const berlin = csvOf(days(Date.UTC(2026, 2, 10, 23), 19));

async function ok(line: string, input: string): Promise<string> {
  const { code, out, err } = await run(line, { input });
  expect([code, err]).toEqual([0, ""]);
  return out;
}

/** Times of a forecast, without midnights. */
async function timesOf(options: string, input: string): Promise<string> {
  const lines = (await ok(`forecast - --horizon 3 --format csv ${options}`, input)).trim().split("\r\n");
  return lines
    .slice(1)
    .map((line) => line.split(",")[1]!.replace("T00:00:00Z", ""))
    .join(" ");
}

describe("forecast", () => {
  test.each([
    ["ends of months", "", monthEnds, "2021-01-31 2021-02-28 2021-03-31"],
    ["given months", "--granularity monthly", monthEnds, "2021-01-31 2021-02-28 2021-03-31"],
    ["ends of quarters", "", quarters, "2022-03-31 2022-06-30 2022-09-30"],
    ["given quarters", "--granularity quarterly", quarters, "2022-03-31 2022-06-30 2022-09-30"],
    ["workdays", "", workdays, "2024-01-29 2024-01-30 2024-01-31"],
    ["days, if these are given", "--granularity daily", workdays, "2024-01-27 2024-01-28 2024-01-29"],
    ["dates, in any time zone", "--timezone America/New_York", monthEnds, "2021-01-31 2021-02-28 2021-03-31"],
    [
      "days of a time zone",
      "--timezone Europe/Berlin",
      berlin,
      "2026-03-29T22:00:00Z 2026-03-30T22:00:00Z 2026-03-31T22:00:00Z",
    ],
    [
      "days of UTC, printed in a time zone",
      "--tz Europe/Berlin",
      berlin,
      "2026-03-30T01:00:00+02:00 2026-03-31T01:00:00+02:00 2026-04-01T01:00:00+02:00",
    ],
  ])("goes on by %s", async (_name, options, input, expected) => {
    expect(await timesOf(options, input)).toBe(expected);
  });

  test("local days are those of the zone of printed times", async () => {
    const input = csvOf(days(Date.UTC(2026, 2, 1), 29)).replaceAll("T00:00:00Z", "");
    const { out, err } = await run("forecast - --horizon 2 --format csv --tz Europe/Berlin", { input });
    expect(out).toMatch(/,2026-03-30T00:00:00\+02:00,.*\r\n.*,2026-03-31T00:00:00\+02:00,/);
    expect(err).toBe("times without an offset are read in Europe/Berlin, that of --tz\n");
  });

  test("follows holidays, and stays within its limits", async () => {
    /** New Year, Good Friday, Easter Monday, First of May and Ascension of 2026. */
    const free = ["2026-01-01", "2026-04-03", "2026-04-06", "2026-05-01", "2026-05-14"].map((date) =>
      Date.parse(date),
    );
    const isFree = (at: number) => free.includes(at) || new Date(at).getUTCDay() % 6 === 0;
    const visits = csvOf(days(Date.UTC(2026, 0, 1), 143), (i, at) => (isFree(at) ? 20 : 200) + ((7 * i) % 5));
    const forecast = async (options: string) =>
      JSON.parse(await ok(`forecast - --horizon 4 --json ${options}`, visits))[0];
    // The second one is Whit Monday, 2026-05-25.
    expect((await forecast("")).predicted[1]).toBeGreaterThan(150);
    expect((await forecast("--holidays DE")).predicted[1]).toBeLessThan(80);
    expect((await forecast("--holidays DE-BE")).predicted[1]).toBeLessThan(80);
    const { predicted, lower } = await forecast("--min 25 --max 190");
    expect(Math.min(...lower)).toBe(25);
    expect(Math.max(...predicted)).toBe(190);
  });

  test("accepts three points and negative limits", async () => {
    const three = csvOf(days(Date.UTC(2026, 0, 1), 3));
    const [{ predicted }] = JSON.parse(await ok("forecast - --min -5 --max 102 --json --horizon 9", three));
    expect(Math.max(...predicted)).toBeLessThanOrEqual(102);
  });
});

test("detect counts workdays and given days", async () => {
  expect(await ok("detect -", workdays)).toContain("0 anomalies in 20 points");
  const [found] = JSON.parse(
    await ok("detect - --granularity workdays --timezone Europe/Berlin --json", workdays),
  );
  expect(found).toMatchObject({ missing: 0 });
  const [inDays] = JSON.parse(await ok("detect - --granularity daily --json", workdays));
  expect(inDays).toMatchObject({ missing: 6 });
});

const saturday = csvOf(days(Date.UTC(2024, 0, 1), 12));
const irregular = csvOf(days(Date.UTC(2024, 0, 1), 40).map((at, i) => at + ((i * i * 13) % 59) * 600_000));
test.each([
  [
    "detect - --granularity dayly",
    workdays,
    /^torus: --granularity: must be one of .*; did you mean daily\?$/m,
  ],
  [
    "detect - --granularity daily --interval 1h",
    workdays,
    /^torus: --granularity: cannot be combined with --interval, which averages: choose one of them$/m,
  ],
  [
    "detect - --timezone Mars/Base",
    workdays,
    /^torus: --timezone: must be an IANA time zone, as in Europe\/Paris$/m,
  ],
  [
    "detect - --granularity workdays",
    saturday,
    /^torus: value: the point at 2024-01-06 00:00:00 is on a Saturday in UTC: leave out such points, give --granularity daily, or the --timezone in which they are on workdays$/m,
  ],
  [
    "detect - --granularity daily",
    irregular,
    /^torus: value: the point at 2024-01-.*; give the --granularity they have, or average them with --interval, as in/m,
  ],
  [
    "forecast - --holidays de",
    saturday,
    /^torus: --holidays: must be the code of a country, .* as in DE or DE-BE$/m,
  ],
  [
    "forecast - --holidays XX",
    saturday,
    /^torus: --holidays: XX is not known: give the code of a country, as in DE$/m,
  ],
  ["forecast - --holidays DE-XX", saturday, /^torus: --holidays: is not known: choose from BB, BE, /m],
  [
    "forecast - --holidays DE",
    monthEnds,
    /^torus: --holidays: need points with timestamps at most a day apart; these are 1 month apart: leave them out$/m,
  ],
  [
    "forecast - --holidays DE",
    workdays,
    /^torus: --holidays: .* 1 workday apart: give --granularity daily$/m,
  ],
  ["forecast - --min 5 --max 4", saturday, /^torus: --min: must be below max \(4\); /m],
  ["forecast - --min low", saturday, /^torus: --min: must be a finite number/m],
])("%s is refused", async (line, input, err) => {
  const ended = await run(line, { input });
  expect(ended.err).toMatch(err);
  expect([ended.code, ended.out]).toEqual([2, ""]);
});
