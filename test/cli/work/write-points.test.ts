// Writing points in batches: counts after interrupts and with retention.
import { describe, expect, test } from "bun:test";
import { ApiError, type Job, JobError } from "../../../src/cli/client/client.ts";
import type { Context } from "../../../src/cli/command/command.ts";
import { describeDropped, writePoints } from "../../../src/cli/work/write-points.ts";

interface World {
  /** Waits for the job of a batch; `interrupt` is Ctrl-C. */
  readonly wait?: (id: string, interrupt: () => void) => Promise<Partial<Job>>;
  /** State of every job when it is to be canceled. */
  readonly state?: Job["state"];
}

const makeJob = (id: string, more: Partial<Job> = {}): Job => ({
  ...{ id, type: "write", state: "done", result: null, duration: 0, start_date: "", start_timestamp: 0 },
  ...more,
});

function makeContext({ wait = async () => ({}), state = "running" }: World) {
  const interrupt = new AbortController();
  const said: string[] = [];
  const canceled: string[] = [];
  let ids = 0;
  const call = async (line: string) => {
    if (line.endsWith("/_write")) return `job${ids++}`;
    if (state !== "running") throw new ApiError(`409 ${line}`, 409, "job_stopped", "already stopped");
    canceled.push(line);
    return undefined;
  };
  const context = {
    signal: interrupt.signal,
    globals: { quiet: true },
    terminal: { now: () => 0, writeError: (text: string) => said.push(text), isTty: { errors: false } },
    lasting: { call, getJob: async (id: string) => makeJob(id, { state }) },
    client: {
      waitForJob: async (id: string) => makeJob(id, await wait(id, () => interrupt.abort())),
    },
  } as unknown as Context;
  return { context, said, canceled };
}

const batches = [{ points: [{}, {}] }, { points: [{}, {}, {}] }];
const target = { bucket: "b" };

test("every point is counted; those the bucket did not keep are counted apart", async () => {
  const wait = async (id: string) => (id === "job1" ? { result: { dropped: 2, reason: "old" } } : {});
  const done = await writePoints(makeContext({ wait }).context, batches, target);
  expect(done).toEqual({ written: 3, dropped: 2 });
  expect(describeDropped(done)).toBe("dropped 2 points older than the retention of the bucket");
  expect(describeDropped({ written: 3, dropped: 0 })).toBeUndefined();
});

describe("after an interrupt", () => {
  const interruptAt = (last: string) => async (id: string, interrupt: () => void) => {
    if (id === last) interrupt();
    return {};
  };
  const cutShort = (id: string) => async (seen: string, interrupt: () => void) => {
    if (seen !== id) return {};
    interrupt();
    throw new DOMException("aborted", "AbortError");
  };

  test("a batch that was known to be written is counted, and nothing is canceled", async () => {
    const { context, said, canceled } = makeContext({ wait: interruptAt("job0") });
    await expect(writePoints(context, batches, target)).rejects.toThrow();
    expect(canceled).toEqual([]);
    expect(said).toEqual(["torus: 2 points were written to b\n"]);
  });

  test("a batch that ended just before it could be canceled is counted", async () => {
    const { context, said } = makeContext({ wait: cutShort("job1"), state: "done" });
    await expect(writePoints(context, batches, target)).rejects.toThrow();
    expect(said).toEqual([
      "torus: job job1 had already ended: done\n",
      "torus: 5 points were written to b\n",
    ]);
  });

  test("a batch that failed just before is not", async () => {
    const { context, said } = makeContext({ wait: cutShort("job1"), state: "failed" });
    await expect(writePoints(context, batches, target)).rejects.toThrow();
    expect(said.at(-1)).toBe("torus: 2 points were written to b\n");
  });

  test("a batch under way is canceled", async () => {
    const { context, said, canceled } = makeContext({ wait: cutShort("job1") });
    await expect(writePoints(context, batches, target)).rejects.toThrow();
    expect(canceled).toEqual(["POST /jobs/job1/_cancel"]);
    expect(said).toEqual(["torus: canceled job job1\n", "torus: 2 points were written to b\n"]);
  });
});

test("a batch that fails ends the writing, with what was written before", async () => {
  const wait = async (id: string) => {
    if (id === "job1") throw new JobError(makeJob(id, { state: "failed", error: "no" }));
    return {};
  };
  const { context, said } = makeContext({ wait });
  await expect(writePoints(context, batches, target)).rejects.toThrow("write job failed: no");
  expect(said).toEqual(["torus: 2 points were written to b\n"]);
});
