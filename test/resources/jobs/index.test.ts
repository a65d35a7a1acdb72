// Jobs of the API: lists, results, cancellation, waits.
import { beforeEach, expect, test } from "bun:test";
import { TorusError } from "../../../src/core/errors.ts";
import { JsonStream, streamPieces } from "../../../src/core/formats/json-pieces.ts";
import { drain } from "../../jobs/fakes.ts";
import { codeOf } from "../../store/temporary.ts";
import { cpuMs } from "../../support/cpu.ts";
import { useWorld } from "../world.ts";

const world = useWorld();
let ids: string[];
beforeEach(async () => {
  await world.buckets.put({ name: "a", type: "local" });
  const params = { from: 0, to: 60, bucket_interval: "1m", features: "avg(x)" };
  ids = [await world.buckets.read("a", params), await world.buckets.read("a", params)];
});

const limits = () => ({ deadlineMs: 1000, signal: new AbortController().signal });

test("lists by id with results; pages read only theirs", async () => {
  await world.finish(ids[0]!, { result: [1] });
  const list = (await world.jobs.list()).entries as { id: string; result: unknown }[];
  expect(list.map(({ id }) => id)).toEqual([...ids].sort());
  expect(list.find(({ id }) => id === ids[0])?.result).toEqual([1]);
  expect((await world.jobs.list({ page: 0, per_page: 1 })).entries).toEqual([list[0]!]);
  expect((await world.jobs.list({ page: 0, per_page: 1, sort: "id:-1" })).entries).toEqual([list.at(-1)!]);
  expect((await world.jobs.list({ page: Number.MAX_SAFE_INTEGER, per_page: 100 })).entries).toEqual([]);
  expect(
    (await world.jobs.list({ sort: "state:1", fields: "state;result", include_fields: true })).entries,
  ).toEqual([
    { state: "done", result: [1] },
    { state: "running", result: null },
  ]);
});

test.each(
  ["id", "type", "state", "model", "start_timestamp", "start_date", "end_timestamp", "end_date"].flatMap(
    (field) => [`${field}:1`, `${field}:-1`],
  ),
)("a page by %s is cut out of the whole list in that order", async (sort) => {
  const params = { from: 0, to: 60, bucket_interval: "1m", features: "avg(x)" };
  for (let i = 0; i < 3; i++) ids.push(await world.buckets.read("a", params));
  world.clock.advance(1000);
  await world.finish(ids[0]!, { result: [1] });
  await world.jobs.cancel([ids[2]!]);
  const all = (await world.jobs.list({ sort })).entries;
  const pages = [0, 1, 2].map((page) => world.jobs.list({ sort, page, per_page: 2 }));
  expect((await Promise.all(pages)).flatMap(({ entries }) => entries)).toEqual(all as object[]);
});

test("gets by id in the requested order; an unknown one is not found", async () => {
  const views = await world.jobs.get([ids[1]!, ids[0]!, ids[1]!], { fields: "id", include_fields: true });
  expect(views).toEqual([{ id: ids[1] }, { id: ids[0] }, { id: ids[1] }]);
  await expect(world.jobs.get([ids[0]!, "x", "y"])).rejects.toThrow("job x does not exist");
});

test("shows the progress of a running job", async () => {
  const call = await world.call(ids[0]!);
  world.clock.advance(1000);
  call.context.onProgress({ eval: 1, max_evals: 4 });
  expect(await world.jobs.view(ids[0]!)).toMatchObject({
    state: "running",
    progress: { eval: 1, max_evals: 4 },
    remaining_time: 3,
    duration: 1,
  });
});

test("cancels several, or none", async () => {
  expect(await codeOf(world.jobs.cancel([ids[0]!, "x"]))).toBe("not_found");
  expect(await world.jobs.view(ids[0]!)).toMatchObject({ state: "running" });
  await world.jobs.cancel(ids);
  await expect(world.jobs.cancel(ids)).rejects.toThrow("job is already stopped (state = canceled)");
});

test("wait returns the result, or throws the error of the job", async () => {
  const both = ids.map((id) => world.jobs.wait(id, limits()));
  (await world.call(ids[0]!)).done({ result: 5 });
  (await world.call(ids[1]!)).fail(new TorusError("no_data", "no data found for time range"));
  expect(await both[0]).toBe(5);
  await expect(both[1]).rejects.toMatchObject({ code: "no_data", message: "no data found for time range" });
});

test("wait for a job that is canceled throws `canceled`", async () => {
  const waiting = world.jobs.wait(ids[0]!, limits());
  await drain();
  await world.jobs.cancel([ids[0]!]);
  expect(await codeOf(waiting)).toBe("canceled");
});

test("promise 13: ten thousand finished jobs with results are listed in about a second", async () => {
  const result = JSON.stringify({ timestamps: Array.from({ length: 200 }, (_, i) => i) });
  const insert = world.store.sqlite.prepare(
    "insert into jobs (id, type, state, created_at, ended_at, result, result_bytes) values (?, 'read', 'done', 1, 2, ?, 1000)",
  );
  world.store.sqlite.transaction(() => {
    for (let i = 0; i < 10_000; i++) insert.run(`job-${i}`, result);
  })();
  const pageMs = await cpuMs(async () =>
    expect((await world.jobs.list({ page: 0, per_page: 10 })).entries).toHaveLength(10),
  );
  let all = 0;
  const allMs = await cpuMs(async () => {
    for await (const piece of streamPieces((await world.jobs.list()).entries as JsonStream))
      all += piece.length;
  });
  expect(all).toBeGreaterThan(10_000 * result.length);
  expect([pageMs < 1000, allMs < 3000]).toEqual([true, true]);
});

const large = { values: Array.from({ length: 20_000 }, (_, i) => i) };

/** What the client reads of an answer. */
async function sent(answer: object[] | JsonStream): Promise<Record<string, unknown>[]> {
  if (!(answer instanceof JsonStream)) return answer as Record<string, unknown>[];
  let text = "";
  for await (const piece of streamPieces(answer)) text += piece;
  return JSON.parse(text);
}

test("attack C2: lists leave large results out unless they are named; one id alone always shows its own", async () => {
  await world.finish(ids[0]!, { result: large });
  await world.finish(ids[1]!, { result: [1] });
  const views = await sent((await world.jobs.list({ sort: "start_timestamp:1" })).entries);
  const resultsOf = (list: Record<string, unknown>[]) =>
    ids.map((id) => list.find((view) => view.id === id)).map((view) => [view?.result, view?.result_omitted]);
  expect(resultsOf(views)).toEqual([
    [null, true],
    [[1], undefined],
  ]);
  expect(resultsOf(await sent(await world.jobs.get(ids)))).toEqual(resultsOf(views));
  const named = { fields: "id;result", include_fields: "true" };
  expect(resultsOf(await sent((await world.jobs.list(named)).entries))).toEqual([
    [large, undefined],
    [[1], undefined],
  ]);
  expect(await sent(await world.jobs.get([ids[0]!]))).toMatchObject([{ id: ids[0], result: large }]);
  expect(Object.keys((await sent((await world.jobs.list({ fields: "result" })).entries))[0]!)).not.toContain(
    "result_omitted",
  );
});

test("attack C2: one id many times is work once, and repeated only while it is sent", async () => {
  await world.finish(ids[0]!, { result: large });
  const many = Array.from({ length: 20 }, () => ids[0]!);
  const plain = await world.jobs.get(many);
  expect(await sent(plain)).toEqual(
    Array(20).fill(expect.objectContaining({ result: null, result_omitted: true })),
  );
  const answer = await world.jobs.get(many, { fields: "result", include_fields: "1" });
  expect(answer).toBeInstanceOf(JsonStream);
  expect(await sent(answer)).toEqual(Array(20).fill({ result: large }));
});

test("a foreground job shows that its result is not kept", async () => {
  const read = { type: "read", model: null, foreground: true } as const;
  const input = { bucket: "a", range: { fromAt: 0, toAt: 1 }, intervalMs: 1, features: [] };
  const [id] = await world.queue.submit({ ...read, input });
  for (const each of ids) await world.finish(each);
  const waiting = world.jobs.wait(id!, limits());
  await world.finish(id!, { result: [7] });
  expect(await waiting).toEqual([7]);
  expect(await sent(await world.jobs.get([id!]))).toMatchObject([{ result: null, result_omitted: true }]);
});

test("filters by state, type, model and start; pages say how many there are", async () => {
  await world.finish(ids[0]!);
  const idsOf = async (params: object) =>
    (await sent((await world.jobs.list({ ...params, sort: "start_timestamp:1" })).entries)).map(
      ({ id }) => id,
    );
  expect(await idsOf({ state: "done" })).toEqual([ids[0]]);
  expect(new Set(await idsOf({ state: "done;running", type: "read" }))).toEqual(new Set(ids));
  expect(await idsOf({ type: "training;write" })).toEqual([]);
  expect(await idsOf({ model: "m" })).toEqual([]);
  expect(await idsOf({ since: "now+1s" })).toEqual([]);
  expect(new Set(await idsOf({ since: "now-1s" }))).toEqual(new Set(ids));
  expect((await world.jobs.list({ per_page: 1 })).total).toBe(2);
  expect((await world.jobs.list({ per_page: 1, state: "done" })).total).toBe(1);
  expect((await world.jobs.list({ per_page: 1, sort: "duration:1" })).total).toBe(2);
  expect((await world.jobs.list()).total).toBeUndefined();
});

test("a failed job is submitted anew with its input; others are refused", async () => {
  const [failed, other] = [ids[0]!, ids[1]!];
  const call = await world.call(failed);
  call.fail(new TorusError("bucket_unavailable", "down"));
  await drain();
  const [id, ...more] = await world.jobs.retry([failed, failed]);
  expect(more).toEqual([]);
  expect((await world.call(id!)).job).toMatchObject({ type: "read", model: null, input: call.job.input });
  await expect(world.jobs.retry([other])).rejects.toThrow("it is running, not failed or canceled");
  await world.jobs.cancel([other]);
  expect(await world.jobs.retry([other])).toHaveLength(1);
  await world.finish(id!);
  expect(await codeOf(world.jobs.retry([failed, id!]))).toBe("job_stopped");
  expect(await codeOf(world.jobs.retry(["no"]))).toBe("not_found");
});

test("inputs of requests that were waited for, and large ones, are not kept", async () => {
  const columns = { column: [1], period: 0, places: [0], detector: "companions", mode: "entire" };
  const input = { ...columns, sensitivity: 50, maxAnomalyRatio: 0.25, anomalyType: "both" } as never;
  const waited = { type: "prediction", model: null, input, foreground: true } as const;
  const large = { column: Array.from({ length: 70_000 }, () => 1) } as never;
  const submitted = await world.queue.submit(waited, { type: "prediction", model: null, input: large });
  for (const id of submitted) (await world.call(id)).fail(new TorusError("no_data", "nothing"));
  await drain();
  for (const id of submitted) await expect(world.jobs.retry([id])).rejects.toThrow("its input was not kept");
});
