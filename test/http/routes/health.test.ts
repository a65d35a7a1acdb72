// Liveness and readiness: statuses; labels of metrics are bounded.
import { expect, test } from "bun:test";
import { TorusError } from "../../../src/core/errors.ts";
import { Listed } from "../../../src/core/input/listed.ts";
import type { Answered } from "../../../src/telemetry/request-metrics.ts";
import { createFakeApp } from "../../support/fake-app.ts";

const get = (app: ReturnType<typeof createFakeApp>, path: string, method = "GET") =>
  app.handle(new Request(`http://localhost${path}`, { method }));

test("livez answers; readyz is 200 or 503 with the parts", async () => {
  const fine = createFakeApp();
  expect((await get(fine, "/livez")).status).toBe(200);
  expect((await get(fine, "/readyz")).status).toBe(200);
  const ok = { ok: true };
  const checks = {
    storage: { ok: false, error: "the disk is full" },
    live: ok,
    workers: ok,
    connections: ok,
    buckets: ok,
  };
  const ill = createFakeApp({ health: { check: async () => ({ ready: false, checks }) } });
  const answer = await get(ill, "/readyz");
  expect(answer.status).toBe(503);
  expect(await answer.json()).toEqual({ ready: false, checks });
  expect((await get(ill, "/livez")).status).toBe(200);
});

test.each([
  ["/models/a;b?pretty=true", "GET", "/models/:names", 200],
  ["/models/a", "HEAD", "/models/:names", 200],
  ["/models/unknown", "GET", "/models/:names", 404],
  ["/whatever/1234", "GET", "none", 404],
  ["/models/a%2Fb", "GET", "none", 400],
  ["/models/a", "POST", "none", 405],
] as const)("%s by %s is counted as %s, %i", async (path, method, route, status) => {
  const answers: Answered[] = [];
  const get404 = ([name]: readonly string[]) =>
    name === "unknown"
      ? Promise.reject(new TorusError("not_found", "unknown"))
      : Promise.resolve(new Listed([]));
  const meter = { onAnswer: (answer: Answered) => void answers.push(answer) };
  const app = createFakeApp({ models: { get: get404 }, meter });
  await get(app, path, method);
  expect(answers).toEqual([{ method, route, status, ms: expect.any(Number) }]);
});
