// What a live model announces: silence, bounds ahead with their band, a changed series.
import { expect, test } from "bun:test";
import type { LiveStateView } from "../../../src/api/live.ts";
import { createMoments, createNumbers } from "../../../src/ui/lib/format.ts";
import { standingOf } from "../../../src/ui/lib/standing.ts";
import { de } from "../../../src/ui/texts/de.ts";
import { en, type Texts } from "../../../src/ui/texts/en.ts";

const DAY = 86_400;
const now = Date.UTC(2026, 10, 22, 6) / 1000;
const [moments, numbers] = [createMoments("en", "UTC"), createNumbers("en")];
const words = { texts: en as Texts, moments, numbers, units: { free: "B" }, now };
const listed = (live: object) => standingOf(live as LiveStateView, words).map(({ text }) => text);
const forecast = { feature: "used", type: "high", threshold: 95, made: now, active: true };

test("nothing of a model that is well", () => expect(listed({ forecasts: [forecast] })).toEqual([]));

test("silence and a changed series", () =>
  expect(listed({ silence: { since: now - 3600 }, drift: { feature: "used" } })).toEqual([
    "no points since 05:00",
    "used has changed since the training",
  ]));

test("a bound ahead, with what is known of its band", () => {
  const first = now + 5.125 * DAY;
  const low = { ...forecast, type: "low", threshold: 1500, first, active: false };
  const forecasts = [
    { ...forecast, first, earliest: now + 4 * DAY, latest: now + 8 * DAY },
    { ...forecast, first, earliest: now + 4 * DAY },
    low,
    { ...low, feature: "free" },
    { ...forecast, error: "too few points" },
  ];
  expect(listed({ forecasts })).toEqual([
    "used above 95 in 5 d 3 h, Nov 27, 09:00; 4 d to 8 d",
    "used above 95 in 5 d 3 h, Nov 27, 09:00; in 4 d at the earliest",
    "used below 1.5\u00a0k in 5 d 3 h, Nov 27, 09:00",
    "free below 1.5\u00a0kB in 5 d 3 h, Nov 27, 09:00",
    "The forecast of used failed: too few points",
  ]);
  const active = standingOf({ forecasts } as unknown as LiveStateView, words).map(({ isActive }) => isActive);
  expect(active).toEqual([true, true, false, false, false]);
});

test("a forecast that failed, by its code in German", () => {
  const live = { forecasts: [{ ...forecast, error: "too few points", code: "too_little_data" }] };
  const [failed] = standingOf(live as object as LiveStateView, { ...words, texts: de });
  expect(failed?.text).toEndWith(": Zu wenige Daten: too few points");
});
