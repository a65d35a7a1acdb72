// Commands detect and forecast: results, output formats, errors.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { run } from "../fake-terminal.ts";

const TAXI = join(import.meta.dir, "../../data/nab/nyc_taxi.csv");
const HOUR = 3600;
const START = Date.UTC(2026, 0, 5) / 1000;
const DAYS = 14;
const SPIKE = 200;

/** A day's rhythm in `load`, a spike in it for two hours; `calm` has none. */
function makeCsv(): string {
  const rows = Array.from({ length: 24 * DAYS }, (_, i) => {
    const rhythm = 100 + 40 * Math.sin((2 * Math.PI * i) / 24) + ((i * 7919) % 101) / 25;
    const spike = i === SPIKE ? 150 : i === SPIKE + 1 ? 200 : 0;
    return `${START + i * HOUR},${(rhythm + spike).toFixed(2)},${rhythm.toFixed(2)},web`;
  });
  return ["at,load,calm,host", ...rows, ""].join("\n");
}

const input = makeCsv();
const torus = (line: string, text = input) => run(line, { input: text });

async function ok(line: string): Promise<string> {
  const { code, out, err } = await torus(line);
  expect([code, err]).toEqual([0, ""]);
  return out;
}

test("detect draws each column, and lists its anomalies", async () => {
  const text = await ok("detect - --time at");
  expect(text).toStartWith("load (UTC): line observed, dots expected, shade the band\n");
  expect(text).toMatch(/^anomaly │ +▀/m);
  expect(text).toMatch(
    /^2026-01-13 08:00:00 {2}2026-01-13 10:00:00 +\d+\.?\d* +\d+\.?\d* +\+\d+ +\d+\.\d x the band$/m,
  );
  expect(text).toContain("1 anomaly in 336 points; season of 24 points\n");
  expect(text).toMatch(/^calm \(UTC\)[\s\S]*^0 anomalies in 336 points/m);
});

test("detect says how long a value that is stuck has lasted, although it lies within the band", async () => {
  const rows = input.trim().split("\n");
  const stuck = rows.map((row, i) => (i > 60 && i <= 90 ? `${row.split(",")[0]},99,99,web` : row)).join("\n");
  const { code, out } = await torus("detect - --time at --value calm", stuck);
  expect(code).toBe(0);
  expect(out).toMatch(
    /^2026-01-07 13:00:00 {2}2026-01-08 18:00:00 +99 .* the same value for 30 points, elsewhere for at most 1$/m,
  );
  const [{ runs, anomalies }] = JSON.parse(
    (await torus("detect - --time at --value calm --json", stuck)).out,
  );
  expect(runs).toEqual([{ first: 60, last: 89, at: "value", usual: 1 }]);
  expect(anomalies).toMatchObject([{ reason: "the same value for 30 points, elsewhere for at most 1" }]);
});

test("detect --json has everything, --format csv a line for each point, -q the starts", async () => {
  const [load, ...others] = JSON.parse(await ok("detect - --time at --value load --json"));
  expect(others).toEqual([]);
  expect(load).toMatchObject({ series: "load", period: 24, anomalies: [{ start: START + SPIKE * HOUR }] });
  expect(load.observed).toHaveLength(24 * DAYS);
  const lines = (await ok("detect - --time at --format csv --tz Europe/Berlin")).split("\r\n");
  expect(lines[0]).toBe("series,time,observed,expected,lower,upper,score,anomaly");
  expect(lines[1 + SPIKE]).toMatch(/^load,2026-01-13T09:00:00\+01:00,(\d+\.?\d*,){5}true$/);
  expect(lines).toHaveLength(2 + 2 * 24 * DAYS);
  expect(await ok("detect - --time at -q")).toBe("2026-01-13T08:00:00Z\n");
});

test("forecast draws the history and the forecast, and lists it", async () => {
  const text = await ok("forecast - --time at --value calm");
  expect(text).toStartWith("calm (UTC): line observed, dots forecast, shade 95 %\n");
  expect(text).toMatch(/^TIME \(UTC\) +FORECAST +LOWER +UPPER$/m);
  expect(text.match(/^2026-01-19 \d\d:00:00 /gm)).toHaveLength(24);
  const csv = await ok("forecast - --time at --value calm --horizon 2 --level 80,95 --format csv");
  expect(csv).toMatch(
    /^series,time,forecast,lower,upper,lower_95,upper_95\r\ncalm,2026-01-19T00:00:00Z,(-?\d+\.?\d*,){4}-?\d+\.?\d*\r\n/,
  );
  const [raw] = JSON.parse(await ok("forecast - --time at --value calm --period 24 --horizon 48 --json"));
  expect(raw).toMatchObject({ series: "calm", level: 95, period: 24 });
  expect(Math.abs(raw.predicted[30] - (100 + 40 * Math.sin((2 * Math.PI * 6) / 24) + 2))).toBeLessThan(6);
});

test("the events of a real file are found", async () => {
  const { out } = await run(`detect ${TAXI} --value value --sensitivity 80 -q`);
  const days = out.split("\n").map((line) => line.slice(0, 10));
  for (const day of ["2014-11-02", "2014-11-27", "2015-01-01", "2015-01-27"]) expect(days).toContain(day);
  expect(days.length).toBeLessThan(10);
});

test("--interval averages irregular points", async () => {
  const rows = Array.from({ length: 400 }, (_, i) => `${START + i * 60 + ((i * i * 13) % 59)},${i % 20}`);
  const irregular = ["time,x", ...rows].join("\n");
  const bad = await torus("detect -", irregular);
  expect([bad.code, bad.err]).toEqual([
    2,
    expect.stringMatching(/^torus: x: the point at 2026-.* --interval 5m\n$/),
  ]);
  const { code, out } = await torus("detect - --interval 5m --json", irregular);
  expect(code).toBe(0);
  const [{ timestamps }] = JSON.parse(out);
  expect(timestamps).toHaveLength(80);
  expect(timestamps[1] - timestamps[0]).toBe(300);
});

const short = "time,a\n2026-01-01,1\n2026-01-02,2\n";
test.each([
  ["detect none.csv", "", /^torus: none.csv: does not exist$/m],
  [
    "detect - --time at --value laod",
    input,
    /^torus: --value: the file has no column laod; did you mean load\?$/m,
  ],
  ["detect - --time ta", input, /^torus: --time: the file has no column ta; /m],
  ["detect -", short, /^torus: a: has 2 points, at least 12 are needed/m],
  ["forecast -", short, /^torus: a: has 2 points/m],
  [
    "detect -",
    "x,a\nfoo,1\n",
    /^torus: line 2: column x holds "foo", no time: set --time, or --time-format to /m,
  ],
  [
    "detect -",
    "time,a\n1,2\n1,3\n",
    /^torus: line 2: column time holds "1", no usual time .*--time-format s/m,
  ],
  [
    "detect - --time-format s",
    "time,a\n1,2\n1,3\n",
    /^torus: line 3: a second value of a at "1", 1970-01-01T00:00:01.000Z: --interval averages them; --on-duplicate last/m,
  ],
  [
    "detect - --time at --value host",
    input,
    /^torus: line 2: column host holds "web", no number: set --value$/m,
  ],
  [
    "detect - --time at --sensitivity 100",
    input,
    /^torus: --sensitivity: must be a whole number from 0 to 99$/m,
  ],
  ["detect - --time at --max-ratio 0.6", input, /^torus: --max-ratio: must be above 0 and below 0\.5/m],
  ["detect - --time at --period 400", input, /^torus: --period: must be at most 168/m],
  ["forecast - --time at --level 0.95", input, /^torus: --level: must be percentages from 1 to below 100/m],
  ["forecast - --time at --horizon 0", input, /^torus: --horizon: /m],
  ["detect - --interval 0s", input, /^torus: --interval: must be longer than 0/m],
])("%s is refused", async (line, text, err) => {
  const ended = await torus(line, text);
  expect(ended.err).toMatch(err);
  expect([ended.code, ended.out]).toEqual([2, ""]);
});
