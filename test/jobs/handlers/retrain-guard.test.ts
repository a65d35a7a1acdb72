// Guarded trainings over a real store and companions: a version that is worse on the last days does not take over.
import { beforeEach, expect, test } from "bun:test";
import type { ModelSettings } from "../../../src/core/model/model.ts";
import type { Point } from "../../../src/core/series/query.ts";
import { trainHandler } from "../../../src/jobs/handlers/train.ts";
import type { TrainJob } from "../../../src/jobs/queue/input.ts";
import { createDonut } from "../../../src/models/donut/index.ts";
import type { Compute } from "../../../src/models/kind.ts";
import { claimJob, submitJobs } from "../../../src/store/jobs/jobs.ts";
import { loadJob } from "../../../src/store/jobs/rows.ts";
import { createModel, loadModel } from "../../../src/store/models.ts";
import { listVersions } from "../../../src/store/versions.ts";
import { createRandom } from "../../../wasm/random.ts";
import { useStore } from "../../store/temporary.ts";
import { aggregatePoints } from "../../support/aggregate-points.ts";
import { aModel } from "../../support/builders.ts";

const MINUTE = 60_000;
const LENGTH = 400;
const settings = aModel({ detector: "auto" });
const donut = createDonut();
const store = useStore();
let points: Point[];

beforeEach(async () => {
  const random = createRandom(11);
  points = Array.from({ length: LENGTH }, (_, i) => ({
    at: i * MINUTE,
    fields: { v: 10 + Math.sin(i / 9) + 0.1 * random.normal() },
    tags: {},
  }));
  await createModel(store, { name: "m", settings }, 0);
});

const change = (from: number, to: number, by: (v: number) => number) => {
  points = points.map((point, i) =>
    i < from || i >= to ? point : { ...point, fields: { v: by(point.fields.v as number) } },
  );
};

/** @returns result of the job */
async function train(
  id: string,
  toAt: number,
  { guard, own = settings }: { guard?: boolean; own?: ModelSettings },
) {
  const read = { read: (query: never, signal: AbortSignal) => aggregatePoints(query, points, signal) };
  const deps = {
    store,
    clock: { now: () => LENGTH * MINUTE },
    kind: donut,
    quickTrainer: donut,
    compute: {} as Compute,
    openBucket: async () => ({ ...read, close: () => {} }) as never,
    recordPast: async () => 0,
    versionsKept: 9,
  };
  const overrides = guard === undefined ? {} : { guard };
  const input: TrainJob = { model: "m", settings: own, bucket: "b", range: { fromAt: 0, toAt }, overrides };
  await submitJobs(store, [{ id, type: "training", model: "m", input }], { at: 0, maxWaiting: 9 });
  await claimJob(store, ["training"], { owner: "me", at: 0 });
  const context = { signal: new AbortController().signal, onProgress: () => {} };
  const job = { id, type: "training", model: "m", input, attempt: 1 } as const;
  const outcome = await trainHandler(deps)(job, context);
  expect(await outcome.commit({ id, owner: "me", at: 1 })).toBe(true);
  return (await loadJob(store, id)).result as { refused: string } | null;
}

const active = async () => (await loadModel(store, "m")).version!;

test("a version that learned noise in the middle of the range is kept, but does not take over", async () => {
  await train("a", 300 * MINUTE, {});
  const random = createRandom(5);
  change(50, 300, (v) => v + 8 * random.normal());
  const result = await train("b", LENGTH * MINUTE, { guard: true });
  const reason =
    /^version 01: on the last 80 intervals its (errors|band) of v .* times as .* as with version 00$/;
  expect(result!.refused).toMatch(reason);
  expect(await active()).toMatchObject({ name: "00", summary: { refused: result!.refused } });
  expect((await listVersions(store, "m")).map(({ name }) => name)).toEqual(["00", "01"]);
});

test("without the guard it takes over", async () => {
  await train("a", 300 * MINUTE, {});
  const random = createRandom(5);
  change(50, 300, (v) => v + 8 * random.normal());
  expect(await train("b", LENGTH * MINUTE, {})).toBeNull();
  expect((await active()).name).toBe("01");
});

test("a version of a series that goes on takes over, and the first one does", async () => {
  expect(await train("a", 300 * MINUTE, { guard: true })).toBeNull();
  expect(await train("b", LENGTH * MINUTE, { guard: true })).toBeNull();
  const { name, summary } = await active();
  expect(name).toBe("01");
  expect(summary).not.toHaveProperty("refused");
});

test("a version of a series that has changed for good takes over", async () => {
  await train("a", 200 * MINUTE, {});
  change(220, LENGTH, (v) => v + 30);
  expect(await train("b", LENGTH * MINUTE, { guard: true })).toBeNull();
});

test("versions of another interval or other values are not compared", async () => {
  await train("a", 300 * MINUTE, {});
  const random = createRandom(5);
  change(50, 300, (v) => v + 8 * random.normal());
  const coarse = aModel({ detector: "auto", bucket_interval: "2m" });
  expect(await train("b", LENGTH * MINUTE, { guard: true, own: coarse })).toBeNull();
  const other = aModel({ ...coarse, features: [{ name: "v", metric: "max", field: "v" }] });
  expect(await train("c", LENGTH * MINUTE, { guard: true, own: other })).toBeNull();
});
