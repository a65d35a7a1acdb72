// REST client: requests, errors, waiting for jobs.
import { describe, expect, test } from "bun:test";
import { ApiError, createClient, type Job, JobError, shareOf } from "../../../src/cli/client/client.ts";

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
}

/** A client of answers given in advance; the last one is repeated. */
function connect(...answers: readonly Response[]) {
  const sent: Sent[] = [];
  const slept: number[] = [];
  const client = createClient({
    baseUrl: "http://torus.test/",
    fetch: async (url, init) => {
      sent.push({ url, init });
      return (answers[sent.length - 1] ?? answers.at(-1)!).clone() as Response;
    },
    sleep: async (ms) => {
      slept.push(ms);
    },
  });
  return { client, sent, slept };
}

const answer = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });
const job = (state: Job["state"], rest: Partial<Job> = {}): Response =>
  answer([{ id: "j1", type: "training", state, result: null, duration: 1, ...rest }]);

describe("a call", () => {
  test("sends a query and a JSON body", async () => {
    const { client, sent } = connect(answer("j1", 202));
    expect(await client.write("my@bucket", [{ timestamp: 1, value: 2 }])).toBe("j1");
    expect(sent[0]!.url).toBe("http://torus.test/buckets/my%40bucket/_write");
    expect(sent[0]!.init.body).toBe('[{"timestamp":1,"value":2}]');
    expect(new Headers(sent[0]!.init.headers).get("content-type")).toBe("application/json");
  });

  test("hands on what the server advises", async () => {
    const advice: string[] = [];
    const headers = { "x-torus-advice": "m: set offset to 90s" };
    const client = createClient({
      baseUrl: "http://torus.test",
      fetch: async () => new Response(null, { status: 204, headers }),
      sleep: async () => {},
      onAdvice: (text) => void advice.push(text),
    });
    await client.call("POST /models/m/_start");
    expect(advice).toEqual(["m: set offset to 90s"]);
  });

  test("without a body sends no content type", async () => {
    const { client, sent } = connect(answer("j1"));
    await client.train("m", { from: "2014-07-01", max_evals: 2 });
    expect(sent[0]!.url).toBe("http://torus.test/models/m/_train?from=2014-07-01&max_evals=2");
    expect(sent[0]!.init.method).toBe("POST");
    expect(sent[0]!.init.headers).toBeUndefined();
  });

  test("gives undefined for an empty answer", async () => {
    const { client } = connect(new Response(null, { status: 204 }));
    expect(await client.call("DELETE /models/m")).toBeUndefined();
  });

  test("refused by the server fails with its words, status and code", async () => {
    const { client } = connect(
      answer({ error: "model m is not trained: train it first", code: "not_trained" }, 400),
    );
    const failure = await client.forecast("m", {}).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({
      message: "POST /models/m/_forecast: 400: model m is not trained: train it first",
      status: 400,
      code: "not_trained",
    });
  });

  test("refused for several fields fails with all of them", async () => {
    const fields = [
      { path: "type", message: "is required" },
      { path: "features", message: "is required" },
    ];
    const { client } = connect(answer({ error: "type: is required", code: "invalid", errors: fields }, 400));
    const failure = await client.createModel({}).catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason: "type: is required", further: ["features: is required"] });
  });

  test("fails on a status that means something else", async () => {
    const { client } = connect(answer("success", 200));
    await expect(client.putBucket({ name: "b", type: "local" })).rejects.toThrow("200: no reason was given");
  });

  test("fails on an error page and on an answer that is not JSON", async () => {
    const page = (status: number) => new Response("<html>", { status });
    await expect(connect(page(502)).client.getJob("j1")).rejects.toThrow("502: no reason was given");
    await expect(connect(page(200)).client.getJob("j1")).rejects.toThrow("is this a Torus server?");
    const empty = new Response("", { status: 200 });
    await expect(connect(empty).client.getJob("j1")).rejects.toThrow("is this a Torus server?");
  });
});

describe("waitForJob", () => {
  test("polls to the end and passes every state on", async () => {
    const { client, slept, sent } = connect(job("waiting"), job("running"), job("done", { result: 7 }));
    const states: string[] = [];
    const done = await client.waitForJob("j1", ({ state }) => states.push(state));
    expect(done.result).toBe(7);
    expect(states).toEqual(["waiting", "running", "done"]);
    expect(slept.length).toBe(2);
    expect(sent[0]!.url).toBe("http://torus.test/jobs/j1");
  });

  test.each([
    "failed",
    "canceled",
  ] as const)("rejects for a job that is %s, with its error", async (state) => {
    const { client } = connect(job(state, { error: "no data found for time range" }));
    const failure = await client.waitForJob("j1").catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(JobError);
    expect((failure as Error).message).toBe(`training job ${state}: no data found for time range`);
  });

  test("rejects for a job that is unknown", async () => {
    const { client } = connect(answer({ error: "job j1 does not exist", code: "not_found" }, 404));
    await expect(client.waitForJob("j1")).rejects.toThrow("job j1 does not exist");
  });
});

test.each([
  [{ state: "done" }, 1],
  [{ duration: 3, remaining_time: 1 }, 0.75],
  [{ progress: { eval: 2, max_evals: 8 } }, 0.25],
  [{ progress: {} }, undefined],
  [{}, undefined],
] as [Partial<Job>, number | undefined][])("the share of %p is %p", (part, share) => {
  expect(shareOf({ state: "running", duration: 1, ...part })).toBe(share as never);
});
