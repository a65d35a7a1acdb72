// Payloads of messages: numbers, JSON by path, line protocol, retained messages, hostile texts.
import { describe, expect, test } from "bun:test";
import type { Reading } from "../../../src/buckets/kind.ts";
import { type PayloadRules, readPayload } from "../../../src/buckets/mqtt/payload.ts";
import { offsetsOf } from "../../../src/core/time/timezone.ts";

const nowAt = Date.UTC(2026, 0, 2, 3, 4, 5);
const captured = { measurement: undefined, field: undefined, tags: { line: "l1" } };

function read(payload: string, rules: Partial<PayloadRules> = {}, message: object = {}): Reading {
  const given = { payload, captured, nowAt, isRetained: false, ...message };
  return readPayload(given, { format: "number", ...rules });
}

const points = (reading: Reading) => {
  if (!("points" in reading)) throw new Error(JSON.stringify(reading));
  return [...reading.points].flatMap(([measurement, list]) =>
    list.map((point) => ({ measurement, ...point })),
  );
};

describe("a number", () => {
  test.each([
    ["21.5", 21.5],
    [" -3e2\n", -300],
    [".5", 0.5],
    ["true", 1],
    ["ON", 1],
    ["off", 0],
  ])("%j is %p", (payload, value) => {
    const [point] = points(read(payload));
    expect(point).toEqual({ measurement: "", at: nowAt, fields: { value }, tags: { line: "l1" } });
  });

  test("is named by the level, the setting, or as `value`", () => {
    const named = { captured: { ...captured, field: "watts", measurement: "power" } };
    expect(points(read("1", { field: "x" }, named))[0]).toMatchObject({
      measurement: "power",
      fields: { watts: 1 },
    });
    expect(points(read("1", { field: "x", measurement: "m" }))[0]).toMatchObject({
      measurement: "m",
      fields: { x: 1 },
    });
  });

  test.each(["", "warm", "NaN", "Infinity", "1e999", "0x10", "1,5", "{}", "1 2"])("%j is not", (payload) => {
    expect(read(payload)).toEqual({ mistake: "is not a number" });
  });

  test("that is retained is of an unknown time", () => {
    expect(read("1", {}, { isRetained: true })).toEqual({ isStale: true });
  });
});

describe("levels of a topic", () => {
  test.each([
    [{ field: "" }, "has a field without a name"],
    [{ field: "__proto__" }, "has the field __proto__, a name that is reserved"],
    [{ field: "x".repeat(60_000) }, "has a field whose name is longer than 256 characters"],
    [{ measurement: "x".repeat(257) }, "has a measurement of more than 256 characters"],
    [{ tags: { line: "x".repeat(1025) } }, "has a level of more than 1024 characters"],
  ])("have the limits of names and tags", (levels, mistake) => {
    expect(read("1", {}, { captured: { ...captured, ...levels } })).toEqual({ mistake });
  });
});

describe("JSON", () => {
  const json = (value: unknown, rules: Partial<PayloadRules> = {}, message: object = {}) =>
    read(JSON.stringify(value), { format: "json", ...rules }, message);

  test("gives all numbers by their paths, also those in texts, without lists", () => {
    const value = { power: { now: 12.5, unit: "W", on: true, max: "-21.5" }, list: [1, 2], none: null };
    const texts = { serial: "0012", mac: "1e", at: "12:30", state: "on", comma: "1,5", empty: "" };
    expect(points(json({ ...value, ...texts }))[0]!.fields).toEqual({
      "power.now": 12.5,
      "power.on": 1,
      "power.max": -21.5,
    });
  });

  test("gives the paths that are asked for, also numbers in texts", () => {
    const [point] = points(json({ a: { b: "7.5" }, c: 1 }, { fields: ["a.b", "missing"] }));
    expect(point!.fields).toEqual({ "a.b": 7.5 });
  });

  test("that is a number is the field `value`, or the level", () => {
    expect(points(json(5))[0]!.fields).toEqual({ value: 5 });
    const named = { captured: { ...captured, field: "watts" } };
    expect(points(json({ now: 5 }, {}, named))[0]!.fields).toEqual({ "watts.now": 5 });
  });

  test.each([
    [1_767_225_600, undefined, "2026-01-01T00:00:00.000Z"],
    ["1767225600", undefined, "2026-01-01T00:00:00.000Z"],
    [1_767_225_600_123, "ms", "2026-01-01T00:00:00.123Z"],
    ["2026-01-01T02:00:00+02:00", undefined, "2026-01-01T00:00:00.000Z"],
    ["2026-01-01T00:00:00", undefined, "2026-01-01T00:00:00.000Z"],
  ] as const)("has the time %p in %p", (ts, precision, date) => {
    const rules = { time: "ts", ...(precision && { precision }) };
    const [point] = points(json({ ts, v: 1 }, rules));
    expect(new Date(point!.at).toISOString()).toBe(date);
    expect(point!.fields).toEqual({ v: 1 });
  });

  test("has the local time of its zone, the first where a clock was put back", () => {
    const offsetAt = offsetsOf("Europe/Berlin");
    const at = (ts: string) => points(json({ ts, v: 1 }, { time: "ts", offsetAt }))[0]!.at;
    expect(at("2026-07-01T02:00:00")).toBe(Date.UTC(2026, 6, 1));
    expect(at("2026-10-25T02:30:00")).toBe(Date.UTC(2026, 9, 25, 0, 30));
    expect(at("2026-07-01T02:00:00Z")).toBe(Date.UTC(2026, 6, 1, 2));
  });

  test("with a time of its own counts also where it is retained", () => {
    expect(points(json({ ts: 1, v: 1 }, { time: "ts" }, { isRetained: true }))).toHaveLength(1);
    expect(json({ v: 1 }, {}, { isRetained: true })).toEqual({ isStale: true });
  });

  test.each([
    [{ v: 1 }, "has no time at ts"],
    [{ ts: "yesterday", v: 1 }, "has no time at ts"],
    [{ ts: 1e300, v: 1 }, "has no time at ts"],
    [{ ts: 5 }, "has no number where one is expected"],
  ])("%j is refused", (value, mistake) => {
    expect(json(value, { time: "ts" })).toEqual({ mistake });
  });

  test("of any depth and width ends", () => {
    expect(read("{".repeat(10_000), { format: "json" })).toEqual({ mistake: "is not JSON" });
    const deep = `${'{"a":'.repeat(500)}1${"}".repeat(500)}`;
    expect(read(deep, { format: "json" })).toEqual({ mistake: "has no number where one is expected" });
    const wide = (count: number, value: unknown) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, value]));
    expect(Object.keys(points(json(wide(1000, 1)))[0]!.fields)).toHaveLength(1000);
    expect(json(wide(90_000, 1))).toEqual({
      mistake: "has more than 1000 numbers: name those to take in `fields` of the topic",
    });
    expect(json(wide(10_001, "text"))).toEqual({
      mistake: "has more than 10000 values: name those to take in `fields` of the topic",
    });
    expect(points(json({ ...wide(90_000, 1), v: 7 }, { fields: ["v"] }))[0]!.fields).toEqual({ v: 7 });
  });

  test("keeps the numbers whose names are valid", () => {
    const reading = json({ v: 1, time: 2, ["x".repeat(257)]: 3 });
    expect(points(reading)[0]!.fields).toEqual({ v: 1 });
    expect(reading).toHaveProperty("mistake", "has the field time, a name that is reserved");
    expect(json({ ["x".repeat(257)]: 3 })).toEqual({
      mistake: "has a field whose name is longer than 256 characters",
    });
  });
});

describe("line protocol", () => {
  test("has measurement, tags and time of its own", () => {
    const [point] = points(read("cpu,host=a load=2 1767225600000000000", { format: "lines" }));
    expect(point).toMatchObject({
      measurement: "cpu",
      at: 1_767_225_600_000,
      fields: { load: 2 },
      tags: { host: "a" },
    });
  });

  test("keeps the good lines beside a malformed one", () => {
    const reading = read("cpu load=2\nnot a line\n", { format: "lines" });
    expect(points(reading)).toHaveLength(1);
    expect(reading).toHaveProperty("mistake", expect.stringContaining("1 malformed line"));
    expect(read("nonsense", { format: "lines" })).toHaveProperty("mistake");
  });

  test("that is retained is of an unknown time", () => {
    expect(read("cpu load=2", { format: "lines" }, { isRetained: true })).toEqual({ isStale: true });
  });
});
