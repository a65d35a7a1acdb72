// OTLP in both encodings: caps before anything is decoded, depth and number of values of attributes, wide points.
import { describe, expect, test } from "bun:test";
import { writeProtobuf } from "../../../../src/core/formats/protobuf-writer.ts";
import { countJson } from "../../../../src/resources/receivers/otlp/json.ts";
import { createOtlpBudget, otlpCaps } from "../../../../src/resources/receivers/otlp/metric.ts";
import { attributesOf, type Encoding, otlpRequest } from "../../../support/otlp.ts";
import { readBytes, readOtlp } from "./support.ts";

const encodings: readonly Encoding[] = ["protobuf", "json"];

const aGauge = (attributes: object, count = 1) =>
  otlpRequest([
    {
      name: "m",
      gauge: {
        dataPoints: Array.from({ length: count }, () => ({ attributes: attributesOf(attributes as never) })),
      },
    },
  ]);
const nested = (depth: number): unknown => (depth === 0 ? "x" : [nested(depth - 1)]);

describe.each(encodings)("%s", (encoding) => {
  test("attributes are nested eight levels deep, and no deeper", async () => {
    const [metric] = await readOtlp(encoding, aGauge({ a: nested(8) }));
    expect(metric!.metric.points[0]!.attributes).toEqual([["a", JSON.stringify(nested(8))]]);
    await expect(readOtlp(encoding, aGauge({ a: nested(9) }))).rejects.toThrow("nested deeper than 8 levels");
    const deepMap = JSON.parse(`${'{"k":'.repeat(9)}1${"}".repeat(9)}`);
    await expect(readOtlp(encoding, aGauge({ a: deepMap }))).rejects.toThrow("nested deeper than 8 levels");
  });

  test("an attribute has a bounded number of values", async () => {
    const wide = Array.from({ length: 20_001 }, () => "x");
    await expect(readOtlp(encoding, aGauge({ a: wide }))).rejects.toMatchObject({ code: "invalid" });
  });

  test("of attributes one more is kept than a series may have", async () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`a${i}`, "x"]));
    const [metric] = await readOtlp(encoding, aGauge(many));
    expect(metric!.metric.points[0]!.attributes).toHaveLength(129);
  });

  test("of buckets and quantiles one more is kept than a point may have", async () => {
    const list = Array.from({ length: 5000 }, (_, i) => i);
    const quantileValues = list.map((value) => ({ quantile: 0.5, value }));
    const metrics = [
      { name: "h", histogram: { dataPoints: [{ explicitBounds: list, bucketCounts: list }] } },
      { name: "e", exponentialHistogram: { dataPoints: [{ positive: { bucketCounts: list } }] } },
      { name: "s", summary: { dataPoints: [{ quantileValues }] } },
    ];
    const [h, e, s] = (await readOtlp(encoding, otlpRequest(metrics))).flatMap(({ metric }) => metric.points);
    expect([h!.bounds.length, h!.counts.length, e!.positive!.counts.length, s!.quantiles.length]).toEqual([
      1001, 1001, 1001, 1001,
    ]);
  });

  test("a large metric comes in chunks, all of whose points are there", async () => {
    const found = await readOtlp(encoding, aGauge({ a: "x" }, 3500));
    expect(found.length).toBeGreaterThan(3);
    expect(found.reduce((sum, { metric }) => sum + metric.points.length, 0)).toBe(3500);
  });
});

/** Messages of a field one in another, around many empty ones. */
function around(fields: readonly number[], count: number, field: number): Uint8Array<ArrayBuffer> {
  const empty = Buffer.alloc(2 * count);
  for (let i = 0; i < count; i++) empty[2 * i] = field * 8 + 2;
  return fields.reduceRight((inner, outer) => prefixed(outer, inner), new Uint8Array(empty));
}

function prefixed(field: number, inner: Uint8Array): Uint8Array<ArrayBuffer> {
  // The writer is made for small messages: its prefix alone.
  const [tag] = writeProtobuf([[field, "x"]]);
  const length: number[] = [];
  for (let rest = inner.length; ; rest = Math.floor(rest / 128)) {
    length.push((rest % 128) + (rest >= 128 ? 128 : 0));
    if (rest < 128) break;
  }
  return new Uint8Array(Buffer.concat([Buffer.from([tag!, ...length]), inner]));
}

describe("empty elements are counted, and refused before they are decoded", () => {
  test.each([
    ["resources", around([], 100_001, 1), "resources, scopes, their attributes, and metrics"],
    ["scopes", around([1], 100_001, 2), "resources, scopes, their attributes, and metrics"],
    ["metrics", around([1, 2], 100_001, 2), "resources, scopes, their attributes, and metrics"],
    ["points of a gauge", around([1, 2, 2, 5], 500_001, 1), "500000 points"],
    ["fields that are unknown", around([], 1_000_001, 15), "fields that are not of a point"],
    ["attributes of a point", around([1, 2, 2, 5, 1], 20_001, 7), "a message of more than 20000 fields"],
  ])("%s in protocol buffers", async (_, bytes, message) => {
    await expect(readBytes(bytes)).rejects.toThrow(message);
  });

  const list = (count: number) => Array.from({ length: count }, () => ({}));
  test.each([
    ["resources", { resourceMetrics: list(100_001) }],
    ["scopes", { resourceMetrics: [{ scopeMetrics: list(100_001) }] }],
    ["metrics", { resourceMetrics: [{ scopeMetrics: [{ metrics: list(100_001) }] }] }],
  ])("%s in JSON", async (_, body) => {
    await expect(countJson(body, createOtlpBudget())).rejects.toMatchObject({
      code: "invalid",
      details: { cap: "groups", limit: otlpCaps.groups.most },
    });
  });

  test.each(encodings)("attributes of scopes, of all of them together: %s", async (encoding) => {
    const attributes = attributesOf(Object.fromEntries(list(10_000).map((_, i) => [`a${i}`, ""])));
    const scopeMetrics = list(11).map(() => ({ scope: { attributes } }));
    await expect(readOtlp(encoding, { resourceMetrics: [{ scopeMetrics }] })).rejects.toMatchObject({
      details: { cap: "groups" },
    });
  });

  test("points in JSON, of all metrics together", async () => {
    const metrics = [{ gauge: { dataPoints: list(400_000) } }, { sum: { dataPoints: list(100_001) } }];
    const body = { resourceMetrics: [{ scopeMetrics: [{ metrics }] }] };
    await expect(countJson(body, createOtlpBudget())).rejects.toMatchObject({ details: { cap: "points" } });
  });
});
