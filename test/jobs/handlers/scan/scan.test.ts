// Scan of a bucket: what moved among series that no model watches, without those of the anomaly itself.
import { describe, expect, test } from "bun:test";
import type { RelatedScanView } from "../../../../src/api/related.ts";
import type { Bucket, Exploration } from "../../../../src/buckets/kind.ts";
import type { GroupedQuery } from "../../../../src/core/series/query.ts";
import { scanHandler } from "../../../../src/jobs/handlers/scan/index.ts";
import type { ScanJob } from "../../../../src/jobs/queue/input.ts";
import { createRandom } from "../../../../wasm/random.ts";

const MINUTE = 60_000;
const START = 100 * 1440;
const HOSTS = ["a", "b", "c", "d", "e", "f"];

/** Load and latency of six hosts; both of host `b` rise at `START`, the latency of `a` three minutes later. */
function levelOf(host: string, field: string, minute: number, noise: number): number {
  const level = 50 + 10 * Math.sin((2 * Math.PI * minute) / 1440) + noise;
  const since =
    host === "b" ? START : host === "a" && field === "latency" ? START + 3 : Number.POSITIVE_INFINITY;
  return level + (minute >= since && minute < since + 20 ? 30 : 0);
}

const exploration: Exploration = {
  measurements: [
    {
      name: "sys",
      fields: [{ name: "load" }, { name: "latency" }, { name: "state", type: "string" }],
      tags: [{ name: "host", values: ["a"] }],
    },
  ],
  truncated: false,
};
const reads: GroupedQuery[] = [];
const bucket = {
  explore: async () => exploration,
  readGrouped: async (query: GroupedQuery) => {
    reads.push(query);
    const { fromAt: startAt, toAt } = query.range;
    const { intervalMs } = query;
    const length = (toAt - startAt) / intervalMs;
    const series = HOSTS.map((host, k) => {
      const random = createRandom(k + 1);
      const columnOf = (field: string) =>
        Float64Array.from({ length }, (_, i) =>
          levelOf(host, field, (startAt + i * intervalMs) / MINUTE, random.normal()),
        );
      const columns = Object.fromEntries(query.features.map(({ name, field }) => [name, columnOf(field)]));
      return { tags: { host }, grid: { startAt, intervalMs, length, columns } };
    });
    const isMatch = ({ tags }: { tags: { host: string } }) =>
      query.features[0]!.tags.every(({ tag, value }) => tag === "host" && tags.host === value);
    return { series: series.filter(isMatch).slice(0, query.maxSeries), truncated: false };
  },
} as unknown as Bucket;

async function scan(own: Partial<ScanJob>, from: Bucket = bucket): Promise<RelatedScanView> {
  const handler = scanHandler({ openBucket: async () => from } as never);
  const window = { fromAt: (START - 60) * MINUTE, toAt: (START + 30) * MINUTE };
  const input: ScanJob = { scan: true, bucket: "m", intervalMs: MINUTE, window, limit: 10, own: [], ...own };
  const job = { id: "j", type: "prediction", model: null, input, attempt: 1 } as const;
  const context = { signal: new AbortController().signal, onProgress: () => {} };
  return (await handler(job, context)).result as RelatedScanView;
}

describe("a scan", () => {
  test("of an anomaly names the series that moved first, and leaves out its own", async () => {
    const answer = await scan({
      own: [{ field: "latency", tags: { host: "a" } }],
      anomaly: { id: "e1", model: "web" },
      target: {
        ...{ tags: { host: "a" }, onsetAt: (START + 3) * MINUTE, intervalMs: MINUTE, peak: 8, earlier: [] },
        past: { peaks: [], spanMs: 30 * 1440 * MINUTE },
      },
    });
    expect(answer).toMatchObject({ watched: 11, anomaly: { id: "e1", model: "web" } });
    expect(answer.related.map(({ series, feature }) => [series?.host, feature]).sort()).toEqual([
      ["b", "latency"],
      ["b", "load"],
    ]);
    expect(answer.related[0]).toMatchObject({ bucket: "m", measurement: "sys", lead: 180, type: "high" });
    expect(answer.summary).toContain("of sys (host=b)");
  });

  test("of a range reads numbers of all series, with a history", async () => {
    reads.length = 0;
    const { related, anomaly } = await scan({ tags: { host: "b" } });
    expect(anomaly).toBeUndefined();
    expect(new Set(related.map(({ series }) => series?.host))).toEqual(new Set(["b"]));
    expect(reads).toHaveLength(1);
    expect(reads[0]).toMatchObject({
      groupBy: ["host"],
      features: [{ field: "load" }, { field: "latency" }],
    });
    expect(reads[0]!.range.fromAt).toBe((START - 60 - 2000) * MINUTE);
  });

  test("reads as many combinations of tags as make 2000 series", async () => {
    reads.length = 0;
    await scan({});
    expect(reads[0]!.maxSeries).toBe(1000);
  });

  test("finds the series with a tag wherever it stands among thousands", async () => {
    reads.length = 0;
    const { watched } = await scan({ tags: { host: "f" } });
    expect(watched).toBe(2);
    expect(reads[0]!.features[0]!.tags).toEqual([{ tag: "host", value: "f" }]);
  });

  test("reads nothing where no series has the tag", async () => {
    reads.length = 0;
    const { watched } = await scan({ tags: { rack: "f" } });
    expect([watched, reads]).toEqual([0, []]);
  });

  test("reads fields with their own tags, and as a rate what its metadata calls a counter", async () => {
    reads.length = 0;
    const fields = [
      { name: "load", tags: ["host"] },
      { name: "latency", tags: ["host", "path"] },
    ];
    const own: Exploration = {
      measurements: [
        { name: null, fields, tags: ["host", "mode", "path"].map((name) => ({ name, values: [] })) },
      ],
      truncated: false,
    };
    const about = { name: "latency", type: "counter", help: "", unit: "" };
    await scan({}, { ...bucket, explore: async () => own, listMetadata: async () => [about] });
    expect(reads.map(({ groupBy, features }) => [groupBy, features[0]!.metric])).toEqual([
      [["host"], "avg"],
      [["host", "path"], "rate"],
    ]);
  });

  test("reads as a rate what is named as a counter where nothing tells its kind, but of a measurement", async () => {
    const metricsOf = async (measurement: string | null, kind?: string) => {
      reads.length = 0;
      const fields = [{ name: "requests_total", ...(kind !== undefined && { kind }) }];
      const own: Exploration = {
        measurements: [{ name: measurement, fields, tags: [{ name: "host", values: [] }] }],
        truncated: false,
      };
      await scan({}, { ...bucket, explore: async () => own });
      return reads[0]!.features[0]!.metric;
    };
    expect(await metricsOf(null)).toBe("rate");
    expect(await metricsOf(null, "gauge")).toBe("avg");
    expect(await metricsOf("mem")).toBe("avg");
  });
});
