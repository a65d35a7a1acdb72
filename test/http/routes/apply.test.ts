// The route of apply: what it hands on, and what it refuses.
import { expect, test } from "bun:test";
import { invalid, TorusError } from "../../../src/core/errors.ts";
import { createFakeApp, send } from "../../support/fake-app.ts";

interface Problem {
  readonly error?: string;
  readonly path?: string;
  readonly mistakes?: unknown;
}

const resources = [{ kind: "bucket", settings: { name: "a", type: "local" } }];

test("resources go on with the set and the switches", async () => {
  const app = createFakeApp();
  const answer = await send(app, "POST /_apply?dry_run=true&prune=1&set=web", {
    body: JSON.stringify({ resources }),
  });
  expect(answer.status).toBe(200);
  expect(app.held).toHaveLength(1);
  expect((await answer.json()) as object).toEqual({ set: "web", dry_run: true, changes: [] });
  expect(app.calls).toEqual([
    `apply.apply[${JSON.stringify({ resources })},{"set":"web","dryRun":true,"prune":true}]`,
  ]);
});

test.each([
  ["no list", {}, "resources: is required"],
  [
    "an unknown kind",
    { resources: [{ kind: "modle", settings: {} }] },
    "resources.0.kind: must be one of bucket",
  ],
  ["no settings", { resources: [{ kind: "model" }] }, "resources.0.settings: is required"],
  [
    "a key too many",
    { resources: [{ ...resources[0], secret: "hunter2" }] },
    "resources.0.secret is unknown",
  ],
])("refuses %s", async (_name, body, message) => {
  const answer = await send(createFakeApp(), "POST /_apply", { body: JSON.stringify(body) });
  const problem = (await answer.json()) as Problem;
  expect([answer.status, problem.error]).toEqual([400, expect.stringContaining(message)]);
  expect(JSON.stringify(problem)).not.toContain("hunter2");
});

test("a bad name of a set is refused", async () => {
  const answer = await send(createFakeApp(), "POST /_apply?set=a/b", { body: JSON.stringify({ resources }) });
  expect([answer.status, ((await answer.json()) as Problem).path]).toEqual([400, "set"]);
});

test("all mistakes are in the answer", async () => {
  const mistakes = [{ index: 0, path: "name", message: "is required" }];
  const apply = () => Promise.reject(new TorusError("invalid", invalid("x", "y").message, { mistakes }));
  const answer = await send(createFakeApp({ apply: { apply } }), "POST /_apply", {
    body: JSON.stringify({ resources }),
  });
  expect(answer.status).toBe(400);
  expect(((await answer.json()) as Problem).mistakes).toEqual(mistakes);
});
