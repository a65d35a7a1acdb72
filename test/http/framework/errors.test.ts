// Errors: one table of codes and statuses; texts of bugs and secrets are not shown.
import { describe, expect, test } from "bun:test";
import { type ErrorCode, errorCodes, invalid, TorusError } from "../../../src/core/errors.ts";
import { Listed } from "../../../src/core/input/listed.ts";
import { statusOf } from "../../../src/http/framework/errors.ts";
import { createFakeApp, expectAnswer, JOB_ID, send } from "../../support/fake-app.ts";

const throwing = (error: unknown) =>
  createFakeApp({
    models: {
      list: async () => {
        throw error;
      },
    },
  });

test.each([...errorCodes])("%s has a status and is rendered as a problem", async (code) => {
  const bug = code === "internal";
  await expectAnswer(throwing(new TorusError(code, "what to do")), ["GET /models", {}], {
    status: statusOf(code),
    holds: [`"code":"${code}"`, bug ? "request id" : "what to do"],
    lacks: bug ? ["what to do"] : [],
  });
});

test("mistakes of the user are never a status that old clients repeat", () => {
  const own: ErrorCode[] = [
    "interrupted",
    "bucket_unavailable",
    "bucket_damaged",
    "bucket_rejected",
    "bucket_auth",
    "overloaded",
    "deadline",
    "storage_unavailable",
  ];
  const repeated = errorCodes.filter((code) => [502, 503, 504].includes(statusOf(code)));
  expect(repeated.toSorted()).toEqual(own.toSorted());
});

test("details go along, and cannot replace the problem's own fields", async () => {
  const error = new TorusError("training_active", "runs", { job_id: JOB_ID, status: 200, path: "x" });
  await expectAnswer(throwing(error), ["GET /models", {}], {
    status: 409,
    body: {
      type: "about:blank",
      title: "Conflict",
      status: 409,
      detail: "runs",
      error: "runs",
      code: "training_active",
      job_id: JOB_ID,
      path: "x",
    },
  });
});

test("invalid input names its path", () =>
  expectAnswer(throwing(invalid("features.0.metric", "must be a metric")), ["GET /models", {}], {
    status: 400,
    holds: ['"path":"features.0.metric"', "features.0.metric: must be a metric"],
  }));

test("overload says when to come back", async () => {
  const response = await send(throwing(new TorusError("overloaded", "too many jobs")), "GET /models");
  expect(response.headers.get("retry-after")).toBe("5");
});

describe("a bug", () => {
  const bugs: [string, unknown][] = [
    ["an error", new Error("password hunter2 at /srv/secret.ts")],
    ["a type error", new TypeError("hunter2")],
    ["a status smuggled in", Object.assign(new Error("hunter2"), { status: 200, code: "not_found" })],
    [
      "a response smuggled in",
      Object.assign(new Error("hunter2"), { toResponse: () => new Response("hunter2") }),
    ],
    ["a string", "hunter2"],
    ["undefined", undefined],
  ];
  test.each(bugs)("%s: 500 without detail, the request id, the stack in the log", async (_name, bug) => {
    const app = throwing(bug);
    await expectAnswer(app, ["GET /models", { headers: { "x-request-id": "r-1" } }], {
      status: 500,
      holds: ['"request_id":"r-1"', '"code":"internal"'],
      lacks: ["hunter2", "secret.ts"],
    });
    expect(app.logged).toHaveLength(1);
    expect(JSON.parse(app.logged[0]!)).toMatchObject({ level: "error", request_id: "r-1", path: "/models" });
  });
});

test("an answer that cannot be written is a bug too", async () => {
  const loop: Record<string, unknown> = {};
  loop.self = loop;
  const app = createFakeApp({ models: { list: async () => new Listed([loop]) } });
  await expectAnswer(app, ["GET /models", {}], { status: 500, lacks: ["cyclic", "self"] });
});
