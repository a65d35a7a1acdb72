// Serialized results: bounded in bytes, with a clear refusal.
import { expect, test } from "bun:test";
import { writeResult } from "../../../src/jobs/queue/result-text.ts";

const signal = new AbortController().signal;
const limits = { perJob: 1000, inTotal: 10_000 };

test("counts bytes, not characters; null where there is none", async () => {
  expect(await writeResult({ a: "ä" }, limits, signal)).toEqual({ pieces: ['{"a":"ä"}'], bytes: 10 });
  expect(await writeResult(null, limits, signal)).toBeNull();
  expect(await writeResult(undefined, limits, signal)).toBeNull();
});

test("attack C2: a result beyond the cap is refused, with advice on what to request", async () => {
  const result = { timestamps: Array.from({ length: 5000 }, (_, i) => i) };
  await expect(writeResult(result, limits, signal)).rejects.toMatchObject({
    code: "too_large",
    message:
      "the result is larger than 1000 bytes (server.limits.job_result_bytes): request a shorter range, longer intervals or fewer features",
  });
  await expect(writeResult(result, { perJob: 1e9, inTotal: 1000 }, signal)).rejects.toThrow(
    "larger than 1000 bytes",
  );
});

test("other work gets its turn, and a job that is canceled stops", async () => {
  const values = Array.from({ length: 500_000 }, (_, i) => i / 7);
  let turns = 0;
  const controller = new AbortController();
  const written = writeResult(values, { perJob: 1e9, inTotal: 1e9 }, controller.signal);
  const tick = () => {
    if (++turns < 5) setImmediate(tick);
    else controller.abort();
  };
  setImmediate(tick);
  await expect(written).rejects.toMatchObject({ code: "canceled" });
  expect(turns).toBe(5);
});
