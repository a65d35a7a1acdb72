// Calendars over the real loop: events mute, and known events start no anomaly; scores go on.
import { beforeEach, expect, test } from "bun:test";
import { putCalendar, recordReading } from "../../src/store/calendars.ts";
import { notifiedOver } from "./notified.ts";
import { MINUTE, NOON, useLiveWorld } from "./world.ts";

const world = useLiveWorld();
// From 12:03 to 12:08.
const ical = [
  "BEGIN:VCALENDAR",
  "BEGIN:VEVENT",
  "UID:1",
  "DTSTART;TZID=Europe/Berlin:20251230T130300",
  "DURATION:PT5M",
  "RRULE:FREQ=DAILY",
  "END:VEVENT",
  "END:VCALENDAR",
].join("\n");

beforeEach(async () => {
  await world.begin();
  await putCalendar(world.store, "c", { at: 1, change: () => ({ settings: { name: "c" }, ical }) });
});

async function run(settings: object, values: readonly number[]): Promise<string[]> {
  await world.makeModel("m", settings);
  return notifiedOver(world, values);
}

test("a window of mute by a calendar holds an anomaly back until the event ends", async () => {
  const mute = [{ calendar: "c" }];
  expect(await run({ mute }, [10, 10, 10, 90, 95, 80, 80, 80, 80, 80, 10])).toEqual([
    "12:8 start of 3",
    "12:11 end of 10",
  ]);
  expect(await world.episodes()).toMatchObject([{ startAt: NOON + 3 * MINUTE }]);
});

test("known events start no anomaly, and the scores stay", async () => {
  expect(await run({ known_events: { calendar: "c" } }, [10, 10, 10, 90, 95, 90, 80, 10, 10])).toEqual([]);
  expect(await world.episodes()).toEqual([]);
});

test("what lasts beyond a known event starts when it ends", async () => {
  expect(
    await run({ known_events: { calendar: "c" } }, [10, 10, 10, 90, 95, 90, 90, 90, 90, 90, 10]),
  ).toEqual(["12:9 start of 8", "12:11 end of 10"]);
});

test("without an event in progress a calendar changes nothing", async () => {
  const settings = { known_events: { calendar: "c" }, mute: [{ calendar: "c" }] };
  expect(await run(settings, [90, 10])).toEqual(["12:1 start of 0", "12:2 end of 1"]);
});

test("a text read later is in force at the next evaluation", async () => {
  const row = { name: "c", createdAt: 1, revision: 1, ical, failures: 0 };
  const moved = ical.replace("T130300", "T150300");
  const reading = { ical: moved, nextAt: 2, failures: 0, lastError: null, lastErrorCode: null };
  expect(await recordReading(world.store, row, reading)).toBe(true);
  expect(await run({ known_events: { calendar: "c" } }, [10, 10, 10, 90, 10])).toHaveLength(2);
  // Another server had the same row: its reading is late.
  expect(await recordReading(world.store, row, { ...reading, ical })).toBe(false);
});
