// Anomalies of a series: how long the windows of those that have ended are no neighbours.
import { describe, expect, test } from "bun:test";
import { Anomalies } from "../../../../src/models/detectors/ranks/anomalies.ts";
import type { Alarm } from "../../../../src/models/detectors/types.ts";

const MINUTE = 60_000;
const rules = {
  timeline: { startAt: 0, intervalMs: MINUTE },
  thresholds: { min: 30, max: 60 },
  withheld: 3,
};

const anAlarm = (fromMinute: number, toMinute: number): Alarm => ({
  points: 1 + toMinute - fromMinute,
  counts: {},
  fromAt: fromMinute * MINUTE,
  toAt: toMinute * MINUTE,
});

describe("windows of anomalies", () => {
  const [old, young, pending] = [anAlarm(0, 9), anAlarm(900, 950), anAlarm(1300, 1341)];
  const anomalies = new Anomalies(rules, { alarms: [old, young], pending });

  test("are no neighbours for 1333 intervals from their end", () => {
    expect(anomalies.barredAt(1341 * MINUTE)).toEqual([old, young, pending]);
    expect(anomalies.barredAt(1342 * MINUTE)).toEqual([young, pending]);
  });

  test("are neighbours from one interval on, that of the end of the bar", () => {
    const admitted = [1341, 1342, 1343].map((minute) => anomalies.admittedAt(minute * MINUTE));
    expect(admitted).toEqual([[], [old], []]);
  });

  test("of one in progress are no neighbours however long it lasts", () => {
    expect(anomalies.barredAt(9000 * MINUTE)).toEqual([pending]);
    expect(anomalies.admittedAt((1341 + 1333) * MINUTE)).toEqual([]);
  });

  test("are neighbours where an older release kept no instants", () => {
    const unknown = new Anomalies(rules, {
      alarms: [{ points: 4, counts: {} }],
      pending: undefined,
    } as never);
    expect(unknown.barredAt(0)).toEqual([]);
  });
});
