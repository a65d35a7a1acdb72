// Mute windows made from an anomaly: each is one that the server accepts.
import { expect, test } from "bun:test";
import { checkMute, mutedUntil } from "../../../../src/core/model/mute.ts";
import { muteWindow, withoutPast } from "../../../../src/ui/lib/anomalies/mute-once.ts";

const now = Date.parse("2026-11-26T15:20:30Z") / 1000;
const start = Date.parse("2026-11-26T22:40:00Z") / 1000;
const options = { hours: 2, now, start, timezone: "Europe/Berlin" };

test("for two hours from now, to the next minute", () => {
  const window = muteWindow("hours", options);
  expect(window).toEqual({ until: "2026-11-26T17:21:00Z" });
  checkMute([window]);
  expect(mutedUntil([window], now * 1000)).toBe(Date.parse("2026-11-26T17:21:00Z"));
});

test("the hour of its start, every day, in the zone of the page; the last one ends at 24:00", () => {
  const window = muteWindow("daily", { ...options, series: { host: "a" } });
  expect(window).toEqual({ from: "23:00", to: "24:00", timezone: "Europe/Berlin", series: { host: "a" } });
  checkMute([window], ["host"]);
});

test("windows that are over are left out, others stay", () => {
  const night = { from: "22:00", to: "06:00" };
  const over = { until: "2026-11-26T15:20:00Z" };
  const lasting = { until: "2026-11-26T15:21:00Z" };
  expect(withoutPast([night, over, lasting], now)).toEqual([night, lasting]);
});
