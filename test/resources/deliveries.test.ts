// Deliveries of all hooks: filters, pages, totals, no secrets.
import { beforeEach, expect, test } from "bun:test";
import { Deliveries } from "../../src/resources/deliveries.ts";
import { outbox } from "../../src/store/db/schema.ts";
import { write } from "../../src/store/db/transaction.ts";
import { putHook } from "../../src/store/hooks.ts";
import { createModel } from "../../src/store/models.ts";
import { useStore } from "../store/temporary.ts";
import { aModel } from "../support/builders.ts";

const store = useStore();
const states = ["sent", "waiting", "rejected", "expired"] as const;

beforeEach(async () => {
  await write(store, async (tx) => {
    for (let i = 0; i < 120; i++) {
      const model = i % 2 === 0 ? "even" : "odd";
      const event = { kind: "anomaly_start", episode: `e${i}`, model };
      const row = { kind: "slack", createdAt: i * 1000, nextAt: i * 1000, config: { url: "hunter2" } };
      await tx
        .insert(outbox)
        .values({ ...row, id: `d${i}`, model, hook: "h", state: states[i % 4]!, event })
        .run();
    }
  });
});

const list = (params: object) => new Deliveries({ store, clock: { now: () => 120_000 } }).list({ ...params });

test("the newest hundred, with the number of all, without secrets", async () => {
  const { entries: found, total } = await list({});
  expect([found.length, total]).toEqual([100, 120]);
  expect(found[0]).toMatchObject({
    id: "d119",
    model: "odd",
    hook: "h",
    state: "expired",
    created_timestamp: 119,
  });
  expect(JSON.stringify(found)).not.toContain("hunter2");
});

test.each([
  [{ state: "rejected" }, 30],
  [{ state: "rejected;waiting" }, 60],
  [{ model: "odd", state: "sent" }, 0],
  [{ model: "even;odd", since: 100 }, 20],
  [{ since: "now-10s" }, 10],
])("%j: %d", async (params, total) => {
  expect((await list({ ...params, per_page: 1 })).total).toBe(total);
});

test("pages follow one another", async () => {
  const pages = [await list({ page: 0, per_page: 60 }), await list({ page: 1, per_page: 60 })];
  const views = pages.flatMap(({ entries }) => entries as { id: string }[]);
  expect(new Set(views.map(({ id }) => id)).size).toBe(120);
});

test.each([
  [{ state: "lost" }, "state: must be some of waiting;sent;rejected;expired"],
  [{ since: "soon" }, "since"],
  [{ model: Array.from({ length: 101 }, (_, i) => `m${i}`).join(";") }, "model: must be at most 100 names"],
])("%j is refused", async (params, message) => {
  await expect(list(params)).rejects.toThrow(message);
});

test("all hooks: targets, and the last attempt of each, without secrets", async () => {
  const at = { at: 1 };
  const contentOf = (kind: string, config: object) => () => ({ kind, config: { ...config }, receiver: kind });
  for (const model of ["even", "odd"])
    await createModel(store, { name: model, settings: aModel({ name: model }) }, 1);
  await putHook(
    store,
    { model: "even", name: "h" },
    { ...at, change: contentOf("slack", { url: "hunter2" }) },
  );
  const muted = { mute: [{ until: "1970-01-01T02:00:00Z" }] };
  const webhook = contentOf("webhook", { url: "https://ops.example/", secret: "hunter2" });
  await putHook(store, { model: "odd", name: "w" }, { ...at, change: webhook });
  await putHook(
    store,
    { model: null, name: "h" },
    { ...at, change: () => ({ ...webhook(), options: muted, selector: { models: ["e*"] } }) },
  );
  store.sqlite.run("update outbox set attempts = 1 where id in ('d4', 'd8', 'd9')");
  const { entries: hooks } = await new Deliveries({ store, clock: { now: () => 0 } }).hooks({});
  expect(hooks).toMatchObject([
    {
      global: true,
      name: "h",
      type: "webhook",
      target: "https://ops.example/",
      selector: { models: ["e*"] },
      muted_until: 7200,
    },
    { model: "even", name: "h", type: "slack", target: null, last_delivery: { id: "d8", state: "sent" } },
    { model: "odd", name: "w", target: "https://ops.example/" },
  ]);
  for (const key of ["last_delivery", "muted_until"])
    expect(hooks.filter((hook) => key in hook)).toHaveLength(1);
  expect(JSON.stringify(hooks)).not.toContain("hunter2");
});
