// Line protocol: every measurement with its points, written to one bucket.
import { expect, test } from "bun:test";
import { type Bucket, PartialWriteError } from "../../src/buckets/kind.ts";
import { TorusError } from "../../src/core/errors.ts";
import type { Point } from "../../src/core/series/query.ts";
import { Lines } from "../../src/resources/lines.ts";
import { codeOf } from "../store/temporary.ts";

function makeLines(write: Bucket["write"] | null = undefined) {
  const written: [string | undefined, readonly Point[]][] = [];
  const keep: Bucket["write"] = async (points, { measurement }) => void written.push([measurement, points]);
  const bucket = { ...(write !== null && { write: write ?? keep }) } as Bucket;
  const openBucket = async (name: string) => {
    if (name !== "b") throw new TorusError("not_found", `bucket ${name} does not exist`);
    return bucket;
  };
  return { lines: new Lines({ openBucket, clock: { now: () => 7000 } }), written };
}

test("one write per measurement, times in ms, the present where a line has none", async () => {
  const { lines, written } = makeLines();
  await lines.write({ bucket: "b", texts: ["m v=1 5\nn v=2\nm,t=a v=3 6"], precision: "s" });
  expect(written).toEqual([
    [
      "m",
      [
        { at: 5000, fields: { v: 1 }, tags: {} },
        { at: 6000, fields: { v: 3 }, tags: { t: "a" } },
      ],
    ],
    ["n", [{ at: 7000, fields: { v: 2 }, tags: {} }]],
  ]);
});

test("a large body is written part by part, and answered as one", async () => {
  const { lines, written } = makeLines();
  const count = 25_000;
  const text = Array.from({ length: count }, (_, i) => (i % 2500 === 7 ? `bad${i}` : `m v=${i} ${i}`)).join(
    "\n",
  );
  const error = await lines.write({ bucket: "b", texts: [text], precision: "s" }).catch((thrown) => thrown);
  expect(written.length).toBeGreaterThan(2);
  for (const [, points] of written) expect(points.length).toBeLessThanOrEqual(10_000);
  const ats = written.flatMap(([, points]) => points.map(({ at }) => at));
  expect(ats).toEqual([...Array(count).keys()].filter((i) => i % 2500 !== 7).map((i) => i * 1000));
  const named = Array.from({ length: 10 }, (_, i) => `unable to parse 'bad${i * 2500 + 7}': missing fields`);
  expect(error.message).toBe(`partial write: ${named.join("\n")} dropped=0`);
  const { message } = await lines
    .write({ bucket: "b", texts: ["bad\n".repeat(count)] })
    .catch((thrown) => thrown);
  expect(message).toEndWith("and 24990 more");
  expect(message).not.toContain("partial write");
});

test("pieces of a body are let go as they are read", async () => {
  const texts = Array.from({ length: 5 }, (_, i) => `m v=${i} ${i}\n`);
  const left: number[] = [];
  const { lines } = makeLines(async () => void left.push(texts.length));
  await lines.write({ bucket: "b", texts });
  expect(left).toEqual([4, 3, 2, 1, 0]);
});

test("points that are older than the bucket keeps are counted, part by part, in InfluxDB's own words", async () => {
  const { lines } = makeLines(async (points, { onExpired }) => {
    const old = points.filter(({ at }) => at < 5000).length;
    if (old > 0) onExpired?.(old);
  });
  const refusalOf = (text: string) =>
    lines
      .write({ bucket: "b", texts: [text], precision: "s" })
      .catch(({ code, message }) => ({ code, message }));
  expect(await refusalOf("m v=1 1\nn v=1 2\nm v=1 6")).toEqual({
    code: "invalid",
    message: "partial write: points beyond retention policy dropped=2",
  });
  expect(await refusalOf("m v=1 1\nbad")).toMatchObject({
    message: "partial write: unable to parse 'bad': missing fields\npoints beyond retention policy dropped=1",
  });
  expect(await refusalOf("m v=1 6")).toBeUndefined();
});

test.each([
  ["a partial write", new PartialWriteError("InfluxDB at i:1: answered 400: field type conflict dropped=1")],
  ["invalid points", new TorusError("invalid", "InfluxDB cannot store the tag")],
] as const)("%s of one measurement: the others are written", async (_, refusal) => {
  const written: (string | undefined)[] = [];
  const { lines } = makeLines(async (_, { measurement }) => {
    if (measurement === "m") throw refusal;
    written.push(measurement);
  });
  const error = await lines.write({ bucket: "b", texts: ["m v=1\nn v=2"] }).catch((thrown) => thrown);
  expect(written).toEqual(["n"]);
  expect(error).toMatchObject({ code: "invalid", message: `partial write: ${refusal.message} dropped=0` });
});

test("a rejected request ends the write, whatever its message says", async () => {
  const { lines } = makeLines(async () => {
    throw new TorusError("bucket_rejected", "answered 400: no partial write was tried");
  });
  await expect(lines.write({ bucket: "b", texts: ["m v=1\nn v=2"] })).rejects.toMatchObject({
    code: "bucket_rejected",
  });
});

test("a store that cannot be reached ends the writing, to be repeated", async () => {
  const { lines } = makeLines(async () => {
    throw new TorusError("bucket_unavailable", "down");
  });
  await expect(lines.write({ bucket: "b", texts: ["m v=1"] })).rejects.toMatchObject({
    code: "bucket_unavailable",
  });
});

test("the good lines are written before the bad ones are refused", async () => {
  const { lines, written } = makeLines();
  const error = await lines.write({ bucket: "b", texts: ["m v=1\nbad\nworse"] }).catch((thrown) => thrown);
  expect(error).toMatchObject({
    code: "invalid",
    message:
      "partial write: unable to parse 'bad': missing fields\nunable to parse 'worse': missing fields dropped=0",
  });
  expect(written.length).toBe(1);
});

test.each([
  ["an unknown bucket", makeLines(), { bucket: "x", texts: ["m v=1"] }, "not_found"],
  ["a read-only bucket", makeLines(null), { bucket: "b", texts: ["m v=1"] }, "not_supported"],
  [
    "a precision that is none",
    makeLines(),
    { bucket: "b", texts: ["m v=1"], precision: "constructor" },
    "invalid",
  ],
  [
    "a full disk",
    makeLines(async () => {
      throw new TorusError("storage_full", "full");
    }),
    { bucket: "b", texts: ["m v=1\nbad"] },
    "storage_full",
  ],
] as const)("%s", async (_, { lines, written }, input, code) => {
  expect(await codeOf(lines.write({ ...input, texts: [...input.texts] }))).toBe(code);
  expect(written).toEqual([]);
});
