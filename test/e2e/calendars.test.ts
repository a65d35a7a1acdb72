// Calendars on a real process: a Monday holiday is not learnt as a normal Monday, raises no alarm, and survives a restart.
import { afterEach, expect, test } from "bun:test";
import { createClient } from "../../src/cli/client/client.ts";
import { temporaryFolder } from "../support/folder.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;
const DAYS = 56;
const dataDir = temporaryFolder();
let server: ServerProcess | undefined;
afterEach(() => server?.kill());

const connect = () => createClient({ baseUrl: server!.url, sleep: (ms) => Bun.sleep(Math.min(ms, 50)) });

/** Midnight of the last Monday in UTC, seconds. */
function lastMonday(): number {
  const today = Math.floor(Date.now() / 1000 / DAY_S);
  return (today - ((today + 3) % 7)) * DAY_S;
}

const date = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10).replaceAll("-", "");

/** Whole days of these Mondays. */
function icalOf(mondays: readonly number[]): string {
  const events = mondays.map((at) => `BEGIN:VEVENT\nUID:${at}\nDTSTART;VALUE=DATE:${date(at)}\nEND:VEVENT\n`);
  return `BEGIN:VCALENDAR\n${events.join("")}END:VCALENDAR\n`;
}

interface Result {
  readonly predicted: { readonly f: readonly number[] };
}
interface Anomaly {
  readonly model: string;
  readonly start_timestamp: number;
}

test("a Monday holiday in the training, on the day, and after a restart", async () => {
  const monday = lastMonday();
  const from = monday - DAYS * DAY_S;
  // Five of the eight Mondays were holidays, as weekends are; so is the one after the training.
  const holidays = [1, 2, 3, 4, 5].map((weeks) => monday - weeks * 7 * DAY_S);
  const points = Array.from({ length: (DAYS + 1) * 24 }, (_, i) => {
    const timestamp = from + i * HOUR_S;
    const day = Math.floor(timestamp / DAY_S);
    const isFree = (day + 4) % 7 === 0 || (day + 4) % 7 === 6 || [...holidays, monday].includes(day * DAY_S);
    const rhythm = 10 * Math.sin((2 * Math.PI * i) / 24) + 2 * Math.sin(i * 12.9898);
    return { timestamp, x: (isFree ? 40 : 100) + rhythm };
  });
  server = await startServer({ dataDir });
  const client = connect();
  await client.putBucket({ name: "b", type: "local" });
  await client.waitForJob(await client.write("b", points));
  const body = { name: "c", ical: icalOf([...holidays, monday]) };
  await client.call("POST /calendars", { body, status: 201 });
  const settings = {
    type: "donut",
    default_bucket: "b",
    bucket_interval: "1h",
    span: 24,
    max_evals: 1,
    forecaster: "seasonal",
    features: [{ name: "f", metric: "avg", field: "x" }],
  };
  const models = [
    { ...settings, name: "plain" },
    { ...settings, name: "known", known_events: { calendar: "c" } },
  ] as const;
  for (const model of models) {
    await client.call("POST /models", { body: model, status: 201 });
    const query = { from, to: monday, epochs: 5 };
    const id = await client.call<string>(`POST /models/${model.name}/_train`, { query });
    expect((await client.waitForJob(id)).state).toBe("done");
  }

  // The mean of the Monday that comes, seen from Sunday evening.
  const expected = async (model: string) => {
    const query = { from: monday, to: monday + DAY_S };
    const { predicted } = await client.call<Result>(`POST /models/${model}/_forecast`, { query });
    const { f } = predicted;
    return f.reduce((sum, value) => sum + value, 0) / f.length;
  };
  const [plain, known] = [await expected("plain"), await expected("known")];
  // A normal Monday is 100.
  expect(known).toBeGreaterThan(plain + 10);
  expect(known).toBeGreaterThan(90);

  const anomalies = async (model: string) => {
    const query = { from: monday, to: monday + DAY_S, detect_anomalies: true, record: true };
    await client.call(`POST /models/${model}/_eval`, { query });
    return client.call<Anomaly[]>(`GET /models/${model}/anomalies`);
  };
  expect(await anomalies("known")).toEqual([]);
  await client.call("PATCH /models/known", { body: { known_events: null }, status: 204 });
  expect(await anomalies("known")).not.toEqual([]);
  await client.call("PATCH /models/known", { body: { known_events: { calendar: "c" } }, status: 204 });

  await server.stop();
  server = await startServer({ dataDir });
  const [calendar] = await connect().call<{ ical: string; events: number }[]>("GET /calendars/c");
  expect(calendar).toMatchObject({ ical: body.ical, events: 6 });
  await expect(connect().call("DELETE /calendars/c")).rejects.toThrow("used by model known");
}, 180_000);
