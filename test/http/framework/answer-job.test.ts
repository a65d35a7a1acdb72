// Answers of routes that submit a job: the id, or the result with the connection held open.
import { describe, expect, test } from "bun:test";
import { type ErrorCode, TorusError } from "../../../src/core/errors.ts";
import { createFakeApp, expectAnswer, JOB_ID, send } from "../../support/fake-app.ts";

describe("waiting for a job", () => {
  test("holds the connection open and hands over deadline and signal", async () => {
    let limits: { deadlineMs: number; signal: AbortSignal } | undefined;
    const app = createFakeApp({
      jobs: {
        wait: async (_id, given) => {
          limits = given;
          return {};
        },
      },
    });
    expect((await send(app, "POST /models/a/_forecast")).status).toBe(200);
    expect(app.held).toHaveLength(1);
    expect(limits?.deadlineMs).toBe(5000);
    expect(limits?.signal.aborted).toBe(false);
  });

  test("the background does neither", async () => {
    const app = createFakeApp();
    await send(app, "POST /models/a/_forecast?bg=true");
    expect(app.held).toHaveLength(0);
    expect(app.calls.some((call) => call.startsWith("jobs.wait"))).toBe(false);
  });

  test("a backtest waits with bg=false only", async () => {
    const app = createFakeApp();
    await send(app, "POST /models/a/_backtest?from=1");
    expect(app.held).toHaveLength(0);
    await send(app, "POST /models/a/_backtest?from=1&bg=no");
    expect(app.held).toHaveLength(1);
  });

  test("a detection that needs a job waits for its result", async () => {
    const app = createFakeApp({ jobs: { wait: async () => ({ period: 7 }) } });
    await expectAnswer(app, ["POST /_detect", { body: "{}" }], { status: 200, body: { period: 7 } });
  });

  test("the body wins over the query", async () => {
    const app = createFakeApp();
    await expectAnswer(app, ["POST /models/a/_backtest?from=1", { body: '{"from":2}' }], {
      status: 200,
      body: JOB_ID,
      call: 'backtests.submit["a",{"from":2},{"foreground":false}]',
    });
  });

  test.each([
    ["no_data", 404],
    ["deadline", 504],
    ["bucket_unavailable", 503],
    ["worker_crashed", 500],
  ] as [ErrorCode, number][])("a job that failed of %s answers %p", (code, status) => {
    const app = createFakeApp({
      jobs: {
        wait: async () => {
          throw new TorusError(code, "no data found for time range");
        },
      },
    });
    return expectAnswer(app, ["POST /models/a/_eval", {}], {
      status,
      holds: ["no data found for time range"],
    });
  });
});
