// Deliveries of all hooks: filters, pages, totals, no secrets.
import { beforeEach, expect, test } from "bun:test";
import { totalOf } from "../../src/core/input/listing.ts";
import { Deliveries } from "../../src/resources/deliveries.ts";
import { outbox } from "../../src/store/db/schema.ts";
import { write } from "../../src/store/db/transaction.ts";
import { useStore } from "../store/temporary.ts";

const store = useStore();
const states = ["sent", "waiting", "rejected", "expired"] as const;

beforeEach(async () => {
  await write(store, (tx) => {
    for (let i = 0; i < 120; i++) {
      const model = i % 2 === 0 ? "even" : "odd";
      const event = { kind: "anomaly_start", episode: `e${i}`, model };
      const row = { kind: "slack", createdAt: i * 1000, nextAt: i * 1000, config: { url: "hunter2" } };
      tx.insert(outbox)
        .values({ ...row, id: `d${i}`, model, hook: "h", state: states[i % 4]!, event })
        .run();
    }
  });
});

const list = (params: object) => new Deliveries({ store, clock: { now: () => 120_000 } }).list({ ...params });

test("the newest hundred, with the number of all, without secrets", async () => {
  const found = await list({});
  expect([found.length, totalOf(found)]).toEqual([100, 120]);
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
  expect(totalOf(await list({ ...params, per_page: 1 }))).toBe(total);
});

test("pages follow one another", async () => {
  const pages = [await list({ page: 0, per_page: 60 }), await list({ page: 1, per_page: 60 })].flat();
  expect(new Set(pages.map((view) => (view as { id: string }).id)).size).toBe(120);
});

test.each([
  [{ state: "lost" }, "state: must be some of waiting;sent;rejected;expired"],
  [{ since: "soon" }, "since"],
  [{ model: Array.from({ length: 101 }, (_, i) => `m${i}`).join(";") }, "model: must be at most 100 names"],
])("%j is refused", async (params, message) => {
  await expect(list(params)).rejects.toThrow(message);
});
