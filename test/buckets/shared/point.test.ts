// Input of `_write` and `_read`: accepted forms, and the path of each mistake.
import { describe, expect, test } from "bun:test";
import { parseFeatures, parsePoints } from "../../../src/buckets/shared/point.ts";
import { errorOf } from "../../core/expect.ts";

const now = Date.UTC(2026, 6, 15);

describe("parsePoints", () => {
  test("fields of every type, tags as text, timestamps in every form", async () => {
    const body = [
      { timestamp: 1_700_000_000, a: 1, b: "x", c: true, d: null },
      { timestamp: "1700000000.5", a: -0.5, tags: { host: "h", port: 80, up: false } },
      { timestamp: "2026-01-31T12:00:00Z", a: 1, tags: null },
      { timestamp: "now-5m", a: 1, tags: {} },
    ];
    expect(await parsePoints(body, now)).toEqual([
      { at: 1_700_000_000_000, fields: { a: 1, b: "x", c: true, d: null }, tags: {} },
      { at: 1_700_000_000_500, fields: { a: -0.5 }, tags: { host: "h", port: "80", up: "false" } },
      { at: Date.UTC(2026, 0, 31, 12), fields: { a: 1 }, tags: {} },
      { at: now - 300_000, fields: { a: 1 }, tags: {} },
    ]);
  });

  test("an empty array is fine", async () => expect(await parsePoints([], now)).toEqual([]));

  const refused: [unknown, string, RegExp][] = [
    [undefined, "body", /array of points/],
    [{ timestamp: 1, a: 1 }, "body", /array of points/],
    ["text", "body", /array of points/],
    [[5], "0", /must be an object/],
    [[null], "0", /must be an object/],
    [[[]], "0", /must be an object/],
    [[{ a: 1 }], "0.timestamp", /is required/],
    [[{ timestamp: null, a: 1 }], "0.timestamp", /is required/],
    [[{ timestamp: "soon", a: 1 }], "0.timestamp", /must be a date/],
    [[{ timestamp: 1_700_000_000_000, a: 1 }], "0.timestamp", /divide milliseconds by 1000/],
    [[{ timestamp: Number.NaN, a: 1 }], "0.timestamp", /must be a date/],
    [[{ timestamp: 1 }], "0", /at least one field/],
    [[{ timestamp: 1, tags: { a: "b" } }], "0", /at least one field/],
    [[{ timestamp: 1, a: Number.NaN }], "0.a", /finite/],
    [[{ timestamp: 1, a: Infinity }], "0.a", /finite/],
    [[{ timestamp: 1, a: { b: 1 } }], "0.a", /number, a string, a boolean or null/],
    [[{ timestamp: 1, a: [1] }], "0.a", /number, a string, a boolean or null/],
    [[{ timestamp: 1, a: "x".repeat(65_537) }], "0.a", /at most 65536/],
    [[{ timestamp: 1, "": 1 }], "0.", /empty name/],
    [[{ timestamp: 1, time: 5 }], "0.time", /goes into timestamp/],
    [[{ timestamp: 1, ["x".repeat(257)]: 1 }], `0.${"x".repeat(256)}`, /at most 256/],
    [JSON.parse('[{"timestamp": 1, "__proto__": 5}]'), "0.__proto__", /reserved/],
    [JSON.parse('[{"timestamp": 1, "a": 1, "tags": {"__proto__": "x"}}]'), "0.tags.__proto__", /reserved/],
    [[{ timestamp: 1, a: 1, tags: [] }], "0.tags", /must be an object/],
    [[{ timestamp: 1, a: 1, tags: "h=a" }], "0.tags", /must be an object/],
    [[{ timestamp: 1, a: 1, tags: { h: null } }], "0.tags.h", /string, a number or a boolean/],
    [[{ timestamp: 1, a: 1, tags: { h: {} } }], "0.tags.h", /string, a number or a boolean/],
    [[{ timestamp: 1, a: 1, tags: { h: Infinity } }], "0.tags.h", /string, a number or a boolean/],
    [
      [{ timestamp: 1, a: 1 }, { timestamp: 1, a: 1 }, { timestamp: 1, a: 1 }, { a: 1 }],
      "3.timestamp",
      /required/,
    ],
  ];
  test.each(refused.map((row) => [row]))("%j is refused", async ([body, path, message]) => {
    const error = await parsePoints(body, now).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: "invalid", details: { path } });
    expect(error.message).toMatch(message);
  });
});

describe("parseFeatures", () => {
  test("metric, measurement and field, in order", () => {
    expect(parseFeatures("avg(x);count(m.y); 95percentile( .a.b ) ;")).toEqual([
      { name: "avg_x", metric: "avg", field: "x", tags: [] },
      { name: "count_y", metric: "count", field: "y", tags: [], measurement: "m" },
      { name: "95percentile_a.b", metric: "95percentile", field: "a.b", tags: [] },
    ]);
    expect(parseFeatures("avg(requests (total))")[0]).toMatchObject({ field: "requests (total)" });
  });

  test.each([
    [undefined, "features", /is required/],
    ["", "features", /is required/],
    [" ", "features", /is required/],
    [5, "features", /is required/],
    ["avg", "features.0", /<metric>\(<field>\)/],
    ["avg()", "features.0", /<metric>\(<field>\)/],
    ["avg(x", "features.0", /<metric>\(<field>\)/],
    ["avg(m.)", "features.0", /must name a field/],
    ["avg(x);(y)", "features.1", /<metric>\(<field>\)/],
    ["avg(x);medin(y)", "features.1", /"medin" is not supported; did you mean median\?/],
    ["avg(a.y);avg(b.y)", "features.1", /avg_y occurs twice/],
    [Array.from({ length: 65 }, (_, i) => `avg(f${i})`).join(";"), "features", /at most 64/],
  ] as [unknown, string, RegExp][])("%p is refused at %p", (text, path, message) => {
    const error = errorOf(() => parseFeatures(text));
    expect(error).toMatchObject({ code: "invalid", details: { path } });
    expect(error.message).toMatch(message);
  });
});
