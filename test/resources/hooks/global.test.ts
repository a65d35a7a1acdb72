// Global hooks: secrets are kept, and a test looks like an event of a selected model.
import { beforeEach, expect, test } from "bun:test";
import { listDue } from "../../../src/store/anomalies/due-deliveries.ts";
import { changeEpisodes } from "../../../src/store/anomalies/episodes.ts";
import { write } from "../../../src/store/db/transaction.ts";
import { loadHook } from "../../../src/store/hooks.ts";
import { codeOf } from "../../store/temporary.ts";
import { aModel } from "../../support/builders.ts";
import { useWorld } from "../world.ts";

const world = useWorld();
const url = "https://hooks.example.org/hunter2";
beforeEach(async () => {
  for (const host of ["db-1", "web-1"]) {
    const match_all = [{ tag: "host", value: host }];
    const features = [{ name: "f", metric: "avg", field: "usage_user", match_all }];
    await world.models.create(aModel({ name: `cpu-${host}`, features }));
  }
});

test("secrets are not shown, and stay where they are not sent again", async () => {
  await world.hooks.put(null, { type: "slack", name: "s", config: { url } });
  expect(await world.hooks.get(null, "s")).toEqual({ type: "slack", name: "s", selector: {}, config: {} });
  expect(JSON.stringify(await world.hooks.list(null, { full: true }))).not.toContain("hunter2");
  const config = { templates: { anomaly_end: "over" } };
  await world.hooks.put(null, { type: "slack", selector: { models: ["cpu-*"] }, config }, "s");
  expect(await loadHook(world.store, { model: null, name: "s" })).toMatchObject({
    selector: { models: ["cpu-*"] },
    config: { url, ...config },
  });
  expect(await codeOf(world.hooks.put(null, { type: "slack", name: "other", config }))).toBe("invalid");
});

test("a hook of a model has no selector: the message says which hooks do", async () => {
  const hook = { type: "slack", name: "s", selector: { tags: { host: "a" } }, config: { url } };
  const message = "selector: is for global hooks: POST /hooks, or torus create-hook --global";
  await expect(world.hooks.put("cpu-db-1", hook)).rejects.toThrow(message);
  await expect(world.hooks.put("cpu-db-1", hook, "s")).rejects.toThrow(message);
});

test("a stored secret does not go to another address", async () => {
  const hook = { type: "webhook", name: "w", config: { url: "https://a.example/", secret: "hunter2" } };
  await world.hooks.put(null, hook);
  const moved = { type: "webhook", config: { url: "https://b.example/" } };
  expect(await codeOf(world.hooks.put(null, moved, "w"))).toBe("invalid");
  await world.hooks.put(null, { ...moved, config: { ...moved.config, secret: "hunter2" } }, "w");
});

test("a selector takes the names that models may have", async () => {
  await world.hooks.put(null, {
    type: "slack",
    name: "s",
    selector: { models: ["web-1.example:9100-*"] },
    config: { url },
  });
  expect((await world.hooks.get(null, "s")).selector).toEqual({ models: ["web-1.example:9100-*"] });
});

test.each([
  [{ tags: { host: "web-*" } }, "cpu-web-1"],
  [{ models: ["none"] }, "example"],
])("a test of %j has the features of %s", async (selector, model) => {
  await world.hooks.put(null, { type: "slack", name: "s", selector, config: { url } });
  await world.hooks.test(null, "s");
  const [row] = await listDue(world.store, { at: world.clock.now(), limit: 9, retries: false });
  expect(row).toMatchObject({ model, isGlobal: true, event: { test: true, model } });
  const tags = model === "example" ? undefined : { host: "web-1" };
  expect(Object.values(row!.event.features)[0]!.tags).toEqual(tags as never);
  expect((await world.hooks.deliveries(null, "s")).entries).toMatchObject([
    { model, event: "anomaly_end", test: true },
    { model, event: "anomaly_start", test: true },
  ]);
});

const mail = {
  type: "mail",
  name: "all.mail",
  config: {
    from: { address: "a@example.org" },
    to: { address: "b@example.org" },
  },
};

test("a preview is about the newest anomaly that the selector matches, or about a test", async () => {
  const selector = { tags: { host: "web-*" } };
  const ofTest = await world.hooks.preview(null, { ...mail, selector });
  expect(ofTest.map(({ event, test }) => [event, test])).toEqual([
    ["anomaly_start", true],
    ["anomaly_end", true],
  ]);
  expect(ofTest[0]!.text).toContain("cpu-web-1");
  await openEpisode("cpu-web-1", 3_600_000);
  await openEpisode("cpu-db-1", 7_200_000);
  const [start, ...others] = await world.hooks.preview(null, { ...mail, selector });
  expect([start!.event, start!.test, others]).toEqual(["anomaly_start", undefined, []]);
  expect(start!.text).toContain("cpu-web-1");
  expect((await world.hooks.preview(null, mail))[0]!.text).toContain("cpu-db-1");
  expect(await world.hooks.list(null)).toEqual([]);
});

test("a preview takes stored secrets and shows none; a wrong hook is refused", async () => {
  await world.hooks.put(null, { type: "slack", name: "s", config: { url } });
  const text = JSON.stringify(await world.hooks.preview(null, await world.hooks.get(null, "s")));
  expect(text).toContain("cpu-db-1");
  expect(text).not.toContain("hunter2");
  expect(await codeOf(world.hooks.preview(null, { type: "slack", name: "other", config: {} }))).toBe(
    "invalid",
  );
  expect(await codeOf(world.hooks.preview(null, { ...mail, selector: { models: [] } }))).toBe("invalid");
  expect(await codeOf(world.hooks.preview(null, "mail"))).toBe("invalid");
});

async function openEpisode(model: string, startAt: number): Promise<void> {
  const report = { f: { type: "high" as const, score: 99, observed: 9, predicted: 1, lower: 0, upper: 2 } };
  const span = { startAt, peakScore: 99, features: report, peak: report, severity: "critical" as const };
  const episode = { id: crypto.randomUUID(), model, origin: "live" as const, ...span };
  await write(world.store, (tx) => changeEpisodes(tx, [{ change: "open", episode }]));
}
