// Scans for related series: what a request submits as a job.
import { beforeEach, describe, expect, test } from "bun:test";
import { RelatedScans } from "../../../src/resources/related/scans.ts";
import { changeEpisodes } from "../../../src/store/anomalies/episodes.ts";
import { putBucket } from "../../../src/store/buckets.ts";
import { write } from "../../../src/store/db/transaction.ts";
import { createModel } from "../../../src/store/models.ts";
import { useStore } from "../../store/temporary.ts";
import { aBucket, aModel } from "../../support/builders.ts";

const store = useStore();
const MINUTE = 60_000;
const START = 1000 * MINUTE;
let submitted: object[] = [];
const queue = {
  submit: async (job: object) => {
    submitted.push(job);
    return ["job"];
  },
};
const scans = () => new RelatedScans({ store, clock: { now: () => 2 * START }, queue } as never);

beforeEach(async () => {
  submitted = [];
  await putBucket(
    store,
    { name: "metrics", kind: "local", settings: aBucket({ name: "metrics", type: "local" }) },
    1,
  );
  const match_all = [{ tag: "dc", value: "fra" }];
  const features = [{ name: "load", metric: "avg", field: "load1", measurement: "sys", match_all }];
  const settings = aModel({ name: "m", features, bucket_interval: "5m", default_bucket: "metrics" });
  await createModel(store, { name: "m", settings }, 1);
  const episode = {
    id: "e1",
    model: "m",
    startAt: START,
    peakScore: 90,
    features: {},
    peak: {},
    severity: null,
  };
  await write(store, (tx) => changeEpisodes(tx, [{ change: "open", episode } as never]));
});

describe("a scan", () => {
  test("of an anomaly is of the bucket and interval of its model, without what that reads", async () => {
    expect(await scans().submit("e1", { limit: 5 }, true)).toEqual({ jobId: "job" });
    expect(submitted).toMatchObject([
      {
        ...{ type: "prediction", model: null, foreground: true },
        input: {
          ...{ scan: true, bucket: "metrics", intervalMs: 5 * MINUTE, limit: 5 },
          window: { fromAt: START - 60 * MINUTE, toAt: START + 30 * MINUTE },
          own: [{ field: "load1", measurement: "sys", tags: { dc: "fra" } }],
          anomaly: { id: "e1", model: "m" },
          target: { onsetAt: START, tags: { dc: "fra" }, earlier: [] },
        },
      },
    ]);
  });

  test("of a range is of the bucket and interval that it names", async () => {
    await scans().submit(undefined, { from: 60, to: 3660, bucket: "metrics", bucket_interval: "1m" }, false);
    expect(submitted).toMatchObject([
      {
        foreground: false,
        input: { intervalMs: MINUTE, window: { fromAt: MINUTE, toAt: 61 * MINUTE }, own: [] },
      },
    ]);
  });

  test.each([
    ["without a bucket", { from: 60, to: 3660 }, "bucket: is required"],
    ["of an unknown bucket", { from: 60, to: 3660, bucket: "none" }, "bucket none does not exist"],
    [
      "with an interval of 0",
      { from: 60, to: 3660, bucket: "metrics", bucket_interval: 0 },
      "bucket_interval: must be",
    ],
    [
      "of seven days in seconds",
      { from: 60, to: 604_860, bucket: "metrics", bucket_interval: "1s" },
      "bucket_interval: the window has 604800 of it, at most 10081 are scanned",
    ],
    ["without a start", { bucket: "metrics" }, "from: is required"],
  ])("%s is refused", async (_, params, message) => {
    await expect(scans().submit(undefined, params, true)).rejects.toThrow(message);
    expect(submitted).toEqual([]);
  });

  test("of an anomaly by milliseconds is refused", async () => {
    const params = { bucket_interval: "1ms" };
    await expect(scans().submit("e1", params, true)).rejects.toThrow("bucket_interval: the window has");
    expect(submitted).toEqual([]);
  });

  test("takes seven days in minutes", async () => {
    await scans().submit(undefined, { from: 60, to: 604_860, bucket: "metrics" }, false);
    expect(submitted).toMatchObject([{ input: { intervalMs: MINUTE } }]);
  });
});
