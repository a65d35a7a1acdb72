// Global hooks: secrets are kept, and a test looks like an event of a selected model.
import { beforeEach, expect, test } from "bun:test";
import { GlobalHooks } from "../../src/resources/global-hooks.ts";
import { listDue } from "../../src/store/anomalies/due-deliveries.ts";
import { loadGlobalHook } from "../../src/store/global-hooks.ts";
import { codeOf } from "../store/temporary.ts";
import { aModel } from "../support/builders.ts";
import { useWorld } from "./world.ts";

const world = useWorld();
let hooks: GlobalHooks;
const url = "https://hooks.example.org/hunter2";
beforeEach(async () => {
  const { store, clock } = world;
  const allowed = { programs: [], allowPrivate: false };
  hooks = new GlobalHooks({ store, clock, allowed, wake: () => {} });
  for (const host of ["db-1", "web-1"]) {
    const match_all = [{ tag: "host", value: host }];
    const features = [{ name: "f", metric: "avg", field: "usage_user", match_all }];
    await world.models.create(aModel({ name: `cpu-${host}`, features }));
  }
});

test("secrets are not shown, and stay where they are not sent again", async () => {
  await hooks.put({ type: "slack", name: "s", config: { url } });
  expect(await hooks.get("s")).toEqual({ type: "slack", name: "s", selector: {}, config: {} });
  expect(JSON.stringify(await hooks.list({ full: true }))).not.toContain("hunter2");
  const config = { templates: { anomaly_end: "over" } };
  await hooks.put({ type: "slack", selector: { models: ["cpu-*"] }, config }, "s");
  expect(await loadGlobalHook(world.store, "s")).toMatchObject({
    selector: { models: ["cpu-*"] },
    config: { url, ...config },
  });
  expect(await codeOf(hooks.put({ type: "slack", name: "other", config }))).toBe("invalid");
});

test("a stored secret does not go to another address", async () => {
  const hook = { type: "webhook", name: "w", config: { url: "https://a.example/", secret: "hunter2" } };
  await hooks.put(hook);
  const moved = { type: "webhook", config: { url: "https://b.example/" } };
  expect(await codeOf(hooks.put(moved, "w"))).toBe("invalid");
  await hooks.put({ ...moved, config: { ...moved.config, secret: "hunter2" } }, "w");
});

test("a selector takes the names that models may have", async () => {
  await hooks.put({
    type: "slack",
    name: "s",
    selector: { models: ["web-1.example:9100-*"] },
    config: { url },
  });
  expect((await hooks.get("s")).selector).toEqual({ models: ["web-1.example:9100-*"] });
});

test.each([
  [{ tags: { host: "web-*" } }, "cpu-web-1"],
  [{ models: ["none"] }, "example"],
])("a test of %j has the features of %s", async (selector, model) => {
  await hooks.put({ type: "slack", name: "s", selector, config: { url } });
  await hooks.test("s");
  const [row] = await listDue(world.store, { at: world.clock.now(), limit: 9, retries: false });
  expect(row).toMatchObject({ model, isGlobal: true, event: { test: true, model } });
  const tags = model === "example" ? undefined : { host: "web-1" };
  expect(Object.values(row!.event.features)[0]!.tags).toEqual(tags as never);
  expect(await hooks.deliveries("s")).toMatchObject([
    { model, event: "anomaly_end", test: true },
    { model, event: "anomaly_start", test: true },
  ]);
});
