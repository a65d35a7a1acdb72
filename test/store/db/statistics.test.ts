// Row counts, and the write probe.
import { expect, test } from "bun:test";
import { putBucket } from "../../../src/store/buckets.ts";
import { countRows, probeWrite } from "../../../src/store/db/statistics.ts";
import { cancelJobs, submitJobs } from "../../../src/store/jobs/jobs.ts";
import { aBucket } from "../../support/builders.ts";
import { codeOf, rows, testSqlite, useStore } from "../temporary.ts";

const store = useStore();

const nothing = { jobs: [], models: 0, buckets: 0, live: 0, anomalies: 0, outbox: 0 };

test("an empty store holds nothing; jobs are counted by type and state", async () => {
  expect(await countRows(store)).toEqual(nothing);
  const job = (id: string, type: "read" | "write") => ({ id, type, model: null, input: {} });
  await submitJobs(store, [job("a", "read"), job("b", "write"), job("c", "write")], { at: 1, maxWaiting: 9 });
  await cancelJobs(store, ["c"], 2);
  await putBucket(store, { name: "b", kind: "local", settings: aBucket() }, 1);
  const { jobs, ...rest } = await countRows(store);
  expect(rest).toEqual({ models: 0, buckets: 1, live: 0, anomalies: 0, outbox: 0 });
  expect(new Set(jobs)).toEqual(
    new Set([
      { type: "read", state: "waiting", count: 1 },
      { type: "write", state: "canceled", count: 1 },
      { type: "write", state: "waiting", count: 1 },
    ]),
  );
});

testSqlite("promise 25: a probe is written again and again, and says when the disk is full", async () => {
  await probeWrite(store, 1);
  await probeWrite(store, 2);
  expect(await rows(store, "select value from meta where key = 'probed_at'")).toEqual([["2"]]);
  store.sqlite.run("PRAGMA query_only = ON");
  expect(await codeOf(probeWrite(store, 3))).toBe("storage_full");
  store.sqlite.run("PRAGMA query_only = OFF");
  await probeWrite(store, 4);
});
