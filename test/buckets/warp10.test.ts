// Kind `warp10` on a stand-in that runs its scripts: the contract and its own rules.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Bucket } from "../../src/buckets/kind.ts";
import { warp10 } from "../../src/buckets/warp10/index.ts";
import type { FeatureQuery } from "../../src/core/series/query.ts";
import { readToken, startWarp10, type Warp10StandIn, writeToken } from "../support/warp10.ts";
import { hostileNames, NONE } from "./cases.ts";
import { runContract } from "./contract.ts";
import { marker, runFaults } from "./faults.ts";
import { expectColumn, idle, readColumn, T0 } from "./support.ts";
import { expectYear } from "./year.ts";

const open = (url: string, more = {}) =>
  warp10.open("b", { url, read_token: readToken, write_token: writeToken, ...more }, { dataDir: "" });

for (const prefix of [undefined, "made by us"]) {
  runContract({
    kind: `warp10 ${prefix ? "with" : "without"} a prefix`,
    texts: false,
    create: async () => {
      const server = startWarp10();
      const bucket = open(server.url, prefix ? { global_prefix: prefix } : {});
      return {
        bucket,
        seed: (points, measurement) => bucket.write!(points, measurement ? { measurement } : {}, idle()),
        dispose: () => server.stop(),
      };
    },
  });
}

runFaults({
  kind: "warp10",
  open: (addr, timeout) =>
    open(`http://${addr}`, { timeout, read_token: marker, write_token: `w-${marker}` }),
});

describe("warp10", () => {
  let server: Warp10StandIn;
  let bucket: Bucket;
  beforeEach(() => {
    server = startWarp10();
    bucket = open(server.url);
  });
  afterEach(() => server.stop());

  const read = (feature: Partial<FeatureQuery>, minutes = 3, from = bucket) =>
    readColumn(from, feature, minutes);

  test("of every text a script holds only its percent-encoded form", async () => {
    for (const name of hostileNames) {
      await read({ field: name, measurement: name, tags: [{ tag: name, value: name }] });
      const script = server.scripts.at(-1)!;
      expect(script.replace(/'[\w.~%-]*'/g, "T")).toBe(
        "[ T T { T T } 1700000159999999 180000000 ] FETCH T STORE [ [ $series bucketizer.sum 1700000159999999 60000000 3 ] BUCKETIZE ]",
      );
    }
  });

  test("a year of minutes: in parts, and raw points with bounded memory", async () => {
    await expectYear(bucket);
  });

  test("several series of one class make one value per interval", async () => {
    const rows = [
      [0, 10, "a"],
      [1000, 30, "a"],
      [2000, 5, "b"],
      [60_000, 1e21, "b"],
    ] as const;
    await bucket.write!(
      rows.map(([at, v, host]) => ({ at: T0 + at, fields: { v }, tags: { host } })),
      {},
      idle(),
    );
    expectColumn(await read({ metric: "avg" }), [15, 1e21, NONE]);
    expectColumn(await read({ metric: "spread" }), [25, 0, NONE]);
    expectColumn(await read({ metric: "count" }), [3, 1, 0]);
  });

  test("texts are refused before anything is written; a wrong token is an error without it", async () => {
    const points = [{ at: T0, fields: { v: 1, t: "text" }, tags: {} }];
    await expect(bucket.write!(points, {}, idle())).rejects.toMatchObject({ code: "invalid" });
    expectColumn(await read({ metric: "count" }), [0, 0, 0]);
    const wrong = open(server.url, { read_token: "wrong-one", write_token: "wrong-two" });
    const failures = [
      await read({}, 1, wrong).catch((error) => error),
      await wrong.write!([{ at: T0, fields: { v: 1 }, tags: {} }], {}, idle()).catch((error) => error),
    ];
    expect(failures.map(({ code }) => code)).toEqual(["bucket_unavailable", "bucket_auth"]);
    for (const { message } of failures) expect(message).not.toContain("wrong-");
  });

  test("without a token to write with it is read-only, and cannot be cleared", () => {
    const { write, clear } = open(server.url, { write_token: "" });
    expect([write, clear]).toEqual([undefined, undefined]);
  });

  test.each([
    "ours",
    "a.*b",
    "it's {odd}",
    "ünï cödé",
    "line\nbreak",
  ])("with prefix %j only what is under it is explored and cleared", async (global_prefix) => {
    const mine = open(server.url, { global_prefix });
    const points = [{ at: T0, fields: { v: 1 }, tags: { host: "a" } }];
    await mine.write!(points, { measurement: "cpu" }, idle());
    await bucket.write!(points, { measurement: "aXXb" }, idle());
    await bucket.write!(points, {}, idle());
    const limits = { measurements: 10, names: 10, values: 10 };
    expect(await mine.explore!({ limits }, idle())).toEqual({
      measurements: [
        {
          name: "cpu",
          fields: [{ name: "v", tags: ["host"] }],
          tags: [{ name: "host", values: ["a"] }],
          lastAt: T0,
        },
      ],
      truncated: false,
    });
    await mine.clear!(idle());
    expect(server.classes()).toEqual(["aXXb.v", "v"]);
  });

  test("a token without write access does not clear, and does not appear in the error", async () => {
    await bucket.write!([{ at: T0, fields: { v: 1 }, tags: {} }], {}, idle());
    const failure = await open(server.url, { write_token: "wrong-two" }).clear!(idle()).catch(
      (error) => error,
    );
    expect(failure).toMatchObject({ code: "bucket_auth" });
    expect(failure.message).not.toContain("wrong-");
    expect(server.classes()).toEqual(["v"]);
  });
});
