// Proposals: what spares half of the noise and no confirmed alarm, tried on the alarms themselves.
import { describe, expect, test } from "bun:test";
import { mutedUntil } from "../../../src/core/model/mute.ts";
import type { Alarm } from "../../../src/core/report/noise.ts";
import { type Evidence, isSparedNow, propose } from "../../../src/core/report/proposal.ts";

const DAY = 86_400_000;
const HOUR = 3_600_000;
const MINUTE = 60_000;
/** A Monday, 00:00 UTC. */
const MONDAY = Date.parse("2026-02-02T00:00:00Z");

const alarm = (peakScore: number, anomaly?: boolean, own: Partial<Alarm> = {}): Alarm => ({
  ...{ model: "m", startAt: MONDAY, endAt: MONDAY + MINUTE, peakScore, scope: null },
  feedback: anomaly === undefined ? null : { anomaly },
  ...own,
});
const three = (peakScore: number, own: Partial<Alarm> = {}) =>
  Array.from({ length: 3 }, () => alarm(peakScore, undefined, own));
const at = (startAt: number, anomaly?: boolean) => alarm(100, anomaly, { startAt, endAt: startAt + MINUTE });

function evidence(alarms: readonly Alarm[], own: Partial<Evidence> = {}): Evidence {
  const confirmed = alarms.filter(({ feedback }) => feedback?.anomaly);
  return { alarms, confirmed, settings: {}, rules: { max: 60, minDuration: 1 }, delayMs: 0, ...own };
}

describe("threshold", () => {
  test.each([
    ["the lowest that spares half", [alarm(70), alarm(71.2), alarm(95)], 72, 2],
    ["dismissed ones count double", [alarm(70), alarm(71), alarm(80, false)], 71, 2],
    ["below every confirmed one", [...three(70), alarm(70.5, true)], 70, 3],
    ["above the present one", three(60.5), 61, 3],
  ])("%s", (_, alarms, max, silenced) => {
    const found = propose(evidence(alarms));
    expect(found?.change).toEqual({ max_threshold: max });
    expect(found?.silenced).toHaveLength(silenced);
  });

  const fleet = { scope: "fleet" as const };
  test.each([
    ["a confirmed one at the same peak", evidence([...three(70), alarm(70, true)])],
    ["an earlier confirmed one", evidence(three(70), { confirmed: [alarm(65, true)] })],
    ["peaks of 100", evidence(three(100))],
    ["of whole fleets", evidence(three(70, fleet))],
    ["a confirmed one of a whole fleet", evidence([...three(70), alarm(99, true, fleet)])],
    [
      "starts that need several intervals",
      evidence([...three(70), alarm(99, true)], { rules: { max: 60, minDuration: 2 } }),
    ],
    ["two alarms, whatever the confirmed ones", evidence([...three(70).slice(1), alarm(99, true)])],
  ])("none for %s", (_, given) => {
    expect(propose(given)).toBeUndefined();
  });
});

describe("mute window", () => {
  const nights = [0, 1, 2].map((day) => at(MONDAY + day * DAY + 2 * HOUR + 10 * MINUTE, false));

  test("of the hour of dismissed alarms, beside the windows there are", () => {
    const mute = [{ from: "12:00", to: "13:00" }];
    const found = propose(evidence([...nights, at(MONDAY + 9 * HOUR)], { settings: { mute } }));
    expect(found?.change).toEqual({ mute: [...mute, { from: "02:00", to: "03:00" }] });
    expect(found?.silenced).toEqual(nights);
  });

  test("none of the alarms of one day, which may be one event of many series", () => {
    const once = Array.from({ length: 12 }, (_, i) => at(MONDAY + 5 * HOUR + i * MINUTE, false));
    expect(propose(evidence(once))?.window).toBeUndefined();
  });

  test("of one weekday, and before midnight", () => {
    const weekly = [0, 1, 2].map((week) => at(MONDAY + week * 7 * DAY + 23.5 * HOUR, false));
    expect(propose(evidence(weekly))?.window).toEqual({ weekdays: ["monday"], from: "23:00", to: "24:00" });
  });

  test("in the time zone of the model, at the time of the notification, as it mutes", () => {
    const timezone = "Asia/Kolkata";
    const delayMs = 30 * MINUTE;
    const found = propose(evidence(nights, { settings: { timezone }, delayMs }));
    expect(found?.window).toEqual({ from: "08:00", to: "09:00", timezone });
    for (const { startAt } of nights)
      expect(mutedUntil([found!.window!], startAt + delayMs, timezone)).toBeGreaterThan(startAt);
  });

  test.each([
    ["a confirmed alarm in the hour", evidence([...nights, at(MONDAY + 2.9 * HOUR, true)])],
    ["an earlier one", evidence(nights, { confirmed: [at(MONDAY - 7 * DAY + 2 * HOUR, true)] })],
    ["two of them", evidence(nights.slice(1))],
    ["what lasts beyond the hour", evidence(nights.map((each) => ({ ...each, endAt: each.startAt + HOUR })))],
    [
      "less than half of the noise",
      evidence([...nights, ...Array.from({ length: 7 }, () => at(MONDAY + 9 * HOUR))]),
    ],
    [
      "a model with all its windows",
      evidence(nights, { settings: { mute: Array(64).fill({ from: "01:00", to: "02:00" }) } }),
    ],
  ])("none for %s", (_, given) => {
    expect(propose(given)).toBeUndefined();
  });
});

test("whatever the alarms, no confirmed one is below the threshold or within the window", () => {
  let seed = 7;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed / 2 ** 31;
  };
  let found = 0;
  for (let round = 0; round < 500; round++) {
    const alarms = Array.from({ length: 1 + Math.floor(random() * 12) }, () => {
      const startAt = MONDAY + Math.floor(random() * 14) * DAY + Math.floor(random() * 3) * HOUR;
      const verdict = [true, false, false, undefined][Math.floor(random() * 4)];
      return alarm(60 + Math.round(random() * 400) / 10, verdict, { startAt, endAt: startAt + MINUTE });
    });
    const given = evidence(alarms);
    const proposal = propose(given);
    if (!proposal) continue;
    found++;
    const { change, window } = proposal;
    for (const { peakScore, startAt } of given.confirmed) {
      if ("max_threshold" in change) expect(peakScore).toBeGreaterThan(change.max_threshold);
      else expect(mutedUntil([window!], startAt)).toBeUndefined();
    }
  }
  expect(found).toBeGreaterThan(100);
});

test.each([
  ["a score that starts nothing now", {}, alarm(60), true],
  ["one that starts an anomaly", {}, alarm(60.5), false],
  ["many series at once: their scores are not one peak", {}, alarm(60, false, { scope: "fleet" }), false],
  ["within a window", { mute: [{ from: "00:00", to: "01:00" }] }, alarm(90), true],
  [
    "it lasts beyond the window",
    { mute: [{ from: "00:00", to: "01:00" }] },
    alarm(90, false, { endAt: MONDAY + 2 * HOUR }),
    false,
  ],
  ["it lasts still", { mute: [{ from: "00:00", to: "01:00" }] }, alarm(90, false, { endAt: null }), false],
  [
    "the window of some series",
    { mute: [{ from: "00:00", to: "01:00", series: { host: "a" } }] },
    alarm(90),
    false,
  ],
])("spared by the settings in force: %s", (_, settings: Evidence["settings"], own, spared) => {
  expect(isSparedNow(own, { settings, rules: { max: 60, minDuration: 1 }, delayMs: MINUTE })).toBe(spared);
});
