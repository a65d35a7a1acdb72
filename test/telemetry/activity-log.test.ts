// Activity log: one line per change of state, whatever attempts lie between.
import { beforeEach, describe, expect, test } from "bun:test";
import { TorusError } from "../../src/core/errors.ts";
import { checkScheduledJob } from "../../src/core/time/scheduled-job.ts";
import { Timetable } from "../../src/scheduler/timetable.ts";
import { putScheduledJob } from "../../src/store/scheduled-jobs.ts";
import { createActivityLog } from "../../src/telemetry/activity-log.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { drain, FakeClock, makeQueue } from "../jobs/fakes.ts";
import { FaultyBucket, MINUTE, NOON, useLiveWorld } from "../live/world.ts";
import { openTemporary } from "../store/temporary.ts";

function makeLines() {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line));
  return { lines, activity: createActivityLog(createLog({ level: "info", write, now: () => 0 })) };
}

describe("live detection", () => {
  const world = useLiveWorld();
  beforeEach(async () => {
    await world.begin();
    await world.makeModel("m");
  });

  test("an anomaly is a line at its start and one at its end, though hooks are mute", async () => {
    await world.makeModel("silent", { mute: [{ from: "00:00", to: "24:00" }] });
    for (const minute of [1, 2]) world.bucket.values.set(NOON + minute * MINUTE, 80 + minute);
    await world.start(["m", "silent"]);
    await world.pass(5 * MINUTE);
    const ofModel = (model: string) => world.lines.filter((line) => line.model === model);
    expect(ofModel("m")).toEqual([
      {
        level: "info",
        msg: "anomaly started",
        model: "m",
        anomaly: expect.any(String),
        score: 81,
        features: ["f"],
      },
      {
        level: "info",
        msg: "anomaly ended",
        model: "m",
        anomaly: expect.any(String),
        score: 82,
        features: ["f"],
        duration: 120,
      },
    ]);
    expect(ofModel("silent").map(({ msg }) => msg)).toEqual(["anomaly started", "anomaly ended"]);
  });

  test("a bucket that fails is one line for all attempts and models, and one when it is back", async () => {
    await world.makeModel("n");
    await world.start(["m", "n"]);
    await world.pass(2 * MINUTE);
    world.bucket.behaviour = "refuse";
    await world.pass(10 * MINUTE);
    expect(world.lines).toEqual([
      {
        level: "warn",
        msg: "bucket failing",
        bucket: "b",
        model: expect.stringMatching(/^[mn]$/),
        code: "bucket_unavailable",
        reason: "connection refused",
      },
    ]);
    world.bucket.behaviour = "well";
    await world.pass(3 * MINUTE);
    expect(world.lines.slice(1)).toEqual([
      { level: "info", msg: "bucket back", bucket: "b", duration: expect.any(Number) },
    ]);
    expect(world.lines[1]!.duration).toBeWithin(500, 900);
  });

  test("a bucket that hangs is failing, too", async () => {
    world.bucket.behaviour = "deaf";
    await world.start(["m"]);
    await world.pass(3 * MINUTE);
    expect(world.lines).toMatchObject([{ msg: "bucket failing", bucket: "b", code: "deadline" }]);
  });

  test("a model that is stopped, or reads another bucket, is not waited for", async () => {
    world.buckets.set("c", new FaultyBucket());
    world.bucket.behaviour = "refuse";
    await world.start(["m"]);
    await world.pass(2 * MINUTE);
    await world.patch("m", { default_bucket: "c" });
    await world.pass(2 * MINUTE);
    await world.patch("m", { default_bucket: "b" });
    await world.pass(2 * MINUTE);
    await world.stop(["m"]);
    expect(world.lines.map(({ msg }) => msg)).toEqual(["bucket failing", "bucket failing"]);
  });
});

test("a training is a line when it is done or has failed; of other jobs only a failure is", async () => {
  const { lines, activity } = makeLines();
  const store = openTemporary();
  const { queue, fake } = makeQueue(store, { onEnd: activity.onJobEnd });
  await queue.start();
  const submit = async () => {
    const input = { features: [], from: 0, to: 1, intervalMs: 1, bucket: "b" } as never;
    const [id] = await queue.submit({ type: "read", model: null, input });
    return id!;
  };
  const read = await submit();
  (await fake.call(read)).done({ result: 1 });
  await drain();
  const failed = await submit();
  (await fake.call(failed)).fail(new TorusError("bucket_unavailable", "connection refused"));
  await drain();
  activity.onJobEnd({ id: "t1", type: "training", model: "m", state: "done", durationMs: 3200 });
  const error = { code: "no_data", message: "no data found" };
  activity.onJobEnd({ id: "t2", type: "training", model: "m", state: "failed", durationMs: 40, error });
  activity.onJobEnd({ id: "t3", type: "training", model: "m", state: "canceled", durationMs: 40 });
  expect(lines).toMatchObject([
    {
      level: "warn",
      msg: "job failed",
      job_id: failed,
      code: "bucket_unavailable",
      reason: "connection refused",
    },
    { level: "info", msg: "training done", model: "m", job_id: "t1", duration: 3.2 },
    {
      level: "warn",
      msg: "training failed",
      model: "m",
      job_id: "t2",
      code: "no_data",
      reason: "no data found",
    },
  ]);
  await queue.stop();
  await store.remove();
});

test("a delivery that is refused, or given up, is a line", () => {
  const { lines, activity } = makeLines();
  const trouble = { model: "m", hook: "h", kind: "slack", event: "e:start", reason: "slack answered 404" };
  activity.onDeliveryFailure({ ...trouble, state: "rejected" });
  activity.onDeliveryFailure({ ...trouble, global: true, state: "expired" });
  expect(lines).toMatchObject([
    { level: "warn", msg: "hook not notified", ...trouble, state: "rejected" },
    { level: "warn", msg: "hook not notified", global: true, state: "expired" },
  ]);
});

test("a scheduled job that fails is one line until it is replaced or succeeds, and one when it is back", async () => {
  const { lines, activity } = makeLines();
  const store = openTemporary();
  const clock = new FakeClock(NOON);
  let status = 404;
  const table = new Timetable({
    store,
    clock,
    timezone: "UTC",
    dispatch: async () =>
      Response.json({ error: "model gone does not exist", code: "not_found" }, { status }),
    onRun: activity.onScheduledRun,
    onError: (error) => expect(error).toBeUndefined(),
  });
  const put = async () => {
    const every = { count: 1, unit: "minutes" };
    const definition = checkScheduledJob({ name: "nightly", method: "get", relative_url: "/jobs", every });
    await putScheduledJob(store, { definition, origin: "api", at: clock.now() });
    await table.refresh();
  };
  const pass = async (minutes: number) => {
    for (let i = 0; i < minutes; i++) {
      clock.advance(MINUTE);
      await table.refresh();
      await drain();
    }
  };
  await table.start();
  await put();
  await pass(3);
  const failing = {
    level: "warn",
    msg: "scheduled job failing",
    scheduled_job: "nightly",
    status: 404,
    code: "not_found",
    reason: "model gone does not exist",
  };
  expect(lines).toMatchObject([failing]);
  status = 200;
  await pass(2);
  expect(lines.slice(1)).toMatchObject([
    { level: "info", msg: "scheduled job back", scheduled_job: "nightly" },
  ]);
  status = 404;
  await pass(1);
  await put();
  await pass(1);
  expect(lines.slice(2)).toMatchObject([failing, failing]);
  await table.stop();
  await store.remove();
});
