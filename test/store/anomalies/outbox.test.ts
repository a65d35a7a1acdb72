// SQL of the outbox: atomic with its cause, in order per hook, every outcome of a delivery.
import { beforeEach, describe, expect, test } from "bun:test";
import type { HookEvent } from "../../../src/core/anomaly/event.ts";
import type { HookOptions } from "../../../src/core/anomaly/hook-options.ts";
import {
  expireDeliveries,
  listDeliveries,
  sweepDeliveries,
} from "../../../src/store/anomalies/deliveries.ts";
import { expireDelivery, markSent, planRetry } from "../../../src/store/anomalies/delivery-outcomes.ts";
import { findNextDue, listDue } from "../../../src/store/anomalies/due-deliveries.ts";
import { enqueueEvent, enqueueTest } from "../../../src/store/anomalies/outbox.ts";
import type { OutboxRow } from "../../../src/store/db/schema.ts";
import { write } from "../../../src/store/db/transaction.ts";
import { loadHook, putHook, removeHook } from "../../../src/store/hooks.ts";
import { createModel } from "../../../src/store/models.ts";
import { EPISODE, makeEnd, makeLevelShift, makeSilence, makeStart } from "../../hooks/events.ts";
import { aModel } from "../../support/builders.ts";
import { execute, rows, useStore } from "../temporary.ts";

const store = useStore();
beforeEach(async () => {
  for (const name of ["m", "n"]) await createModel(store, { name, settings: aModel() }, 0);
});

const attach = (
  name: string,
  { model = "m", kind = "webhook", config = { url: name }, options = {} as HookOptions } = {},
) => putHook(store, { model, name }, { at: 0, change: () => ({ kind, config, options }) });
const enqueue = (event: HookEvent, at = 100, notBefore?: number) =>
  write(store, (tx) => enqueueEvent(tx, event, { at, ...(notBefore !== undefined && { notBefore }) }));
const due = (at = 100, retries = false) => listDue(store, { at, limit: 100, retries });
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id.replace(EPISODE, "e"));
const states = async (name = "a") =>
  (await listDeliveries(store, { model: "m", name }, 100)).map(({ id, resend, state }) => [
    `${id.replace(EPISODE, "e")}${resend ? " resend" : ""}`,
    state,
  ]);

test("one row per hook of the model, with the hook as it was", async () => {
  await attach("a");
  await attach("b");
  await attach("c", { model: "n" });
  expect(await enqueue(makeStart())).toBe(2);
  const rows = await due();
  expect(idsOf(rows)).toEqual(["e:start/a", "e:start/b"]);
  expect(rows[0]).toMatchObject({ kind: "webhook", config: { url: "a" }, attempts: 0, event: makeStart() });
});

test("a hook gets the events it chose, by default anomalies and steps of level", async () => {
  await attach("default");
  await attach("silence", { options: { events: ["silence"] } });
  expect(await enqueue(makeStart())).toBe(1);
  expect(await enqueue(makeLevelShift())).toBe(1);
  expect(await enqueue(makeSilence("silence_start"))).toBe(1);
  expect(idsOf(await due())).toEqual(["e:start/default", "silence:start/silence"]);
});

test("an end follows its start, also where the hook no longer chooses such events", async () => {
  await attach("a", { options: { events: ["silence"] } });
  await enqueue(makeSilence("silence_start"));
  await attach("a");
  expect(await enqueue(makeSilence("silence_end"))).toBe(1);
});

test("promise 20: no event without its cause, no cause without its event", async () => {
  await attach("a");
  const broken = write(store, async (tx) => {
    await enqueueEvent(tx, makeStart(), { at: 100 });
    throw new Error("after the event");
  });
  await expect(broken).rejects.toThrow("after the event");
  expect(await due()).toEqual([]);
});

test("the same event again changes nothing", async () => {
  await attach("a");
  await enqueue(makeStart());
  await enqueue(makeStart());
  expect(await due()).toHaveLength(1);
});

test("an event is delivered even after its hook and its model were deleted", async () => {
  await attach("a");
  await enqueue(makeStart());
  await removeHook(store, { model: "m", name: "a" });
  expect(await due()).toHaveLength(1);
  await execute(store, "delete from models");
  expect(await due()).toHaveLength(1);
});

describe("order", () => {
  test("promise 21: an end waits for its start, per hook", async () => {
    await attach("a");
    await attach("b");
    await enqueue(makeStart());
    await enqueue(makeEnd());
    const [a, b] = await due();
    await markSent(store, [b!], { at: 101 });
    await planRetry(store, [a!], { reason: "no", code: "unreachable", nextAt: 5000 });
    expect(idsOf(await due())).toEqual(["e:end/b"]);
    expect(idsOf(await due(5000, true))).toEqual(["e:start/a"]);
    await expireDelivery(store, [a!], { state: "rejected", reason: "never", code: "unreachable", at: 5000 });
    expect(idsOf(await due())).toEqual(["e:end/a", "e:end/b"]);
  });

  test("those not tried yet and further attempts are taken apart", async () => {
    await attach("a");
    await attach("b");
    await enqueue(makeStart());
    await planRetry(store, [(await due())[0]!], { reason: "no", code: "unreachable", nextAt: 90 });
    expect(idsOf(await due(100))).toEqual(["e:start/b"]);
    expect(idsOf(await due(100, true))).toEqual(["e:start/a"]);
    expect(await listDue(store, { at: 100, limit: 0, retries: false })).toEqual([]);
  });

  test("next due time over the first event of each hook", async () => {
    await attach("a");
    await attach("b");
    expect(await findNextDue(store, 0)).toBeUndefined();
    await enqueue(makeStart(), 100);
    await enqueue(makeEnd(), 50);
    expect(await findNextDue(store, 0)).toBe(100);
    expect(await findNextDue(store, 100)).toBeUndefined();
    await planRetry(store, [(await due())[1]!], { reason: "no", code: "unreachable", nextAt: 700 });
    expect(await findNextDue(store, 100)).toBe(700);
  });

  test("not before an instant", async () => {
    await attach("a");
    await enqueue(makeStart(), 100, 900);
    expect(await due(899)).toEqual([]);
    expect(await findNextDue(store, 100)).toBe(900);
    expect(await due(900)).toHaveLength(1);
  });
});

describe("a muted hook", () => {
  const HOUR = 3_600_000;
  const until = (at: number): HookOptions => ({ mute: [{ until: new Date(at).toISOString() }] });
  const all: HookOptions = { events: ["anomaly", "level_shift"] };

  test("gets what lasts longer than the mute, and others get it at once", async () => {
    await attach("a", { options: { ...all, ...until(HOUR) } });
    await attach("b");
    await enqueue(makeStart());
    expect(idsOf(await due())).toEqual(["e:start/b"]);
    expect(idsOf(await due(HOUR))).toEqual(["e:start/a", "e:start/b"]);
    await enqueue(makeEnd(), HOUR);
    expect(await states()).toEqual([
      ["e:end/a", "waiting"],
      ["e:start/a", "waiting"],
    ]);
  });

  test("hears neither the start nor the end of what was over before", async () => {
    await attach("a", { options: until(HOUR) });
    await enqueue(makeStart());
    await enqueue(makeEnd(), HOUR - 1);
    expect(await states()).toEqual([]);
  });

  test("gets the end of what it knows of after the mute", async () => {
    await attach("a");
    await enqueue(makeStart());
    await markSent(store, await due(), { at: 100 });
    await attach("a", { options: until(HOUR) });
    await enqueue(makeEnd(), 200);
    expect(await due(HOUR - 1)).toEqual([]);
    expect(idsOf(await due(HOUR))).toEqual(["e:end/a"]);
  });

  test("gets what waits as soon as it is stored without the mute", async () => {
    await attach("a", { options: until(HOUR) });
    await enqueue(makeStart());
    await attach("a", { options: until(2 * HOUR) });
    expect(await due(2 * HOUR - 1)).toEqual([]);
    await attach("a");
    expect(await due(0)).toMatchObject([{ createdAt: 0 }]);
  });

  test("a step of level that waits too long expires, an anomaly that lasts does not", async () => {
    await attach("a", { options: { ...all, ...until(HOUR) } });
    await enqueue(makeStart());
    await enqueue(makeLevelShift());
    const expired = await expireDeliveries(store, { before: HOUR, at: HOUR, reason: "old" });
    expect(expired.map(({ event }) => event.kind)).toEqual(["level_shift"]);
  });

  test("is tested all the same", async () => {
    await attach("a", { options: until(HOUR) });
    await enqueueTest(
      store,
      { model: "m", name: "a" },
      { events: [{ ...makeStart(), test: true }], at: 100 },
    );
    expect(await due()).toHaveLength(1);
  });
});

describe("outcomes", () => {
  beforeEach(async () => {
    await attach("a", { config: { url: "secret" } });
    await enqueue(makeStart());
  });
  const first = async () => (await due(10_000)).concat(await due(10_000, true))[0]!;

  test("are listed, newest first, without the configuration", async () => {
    await planRetry(store, [await first()], { reason: "busy", code: "unreachable", nextAt: 300 });
    await markSent(store, [await first()], { at: 400 });
    await enqueue(makeEnd());
    await expireDelivery(store, [await first()], {
      state: "expired",
      reason: "too late",
      code: "unreachable",
      at: 500,
    });
    const rows = await listDeliveries(store, { model: "m", name: "a" }, 10);
    expect(rows).toMatchObject([
      { state: "expired", attempts: 1, lastError: "too late", endedAt: 500 },
      { state: "sent", attempts: 2, lastError: null, endedAt: 400, createdAt: 100 },
    ]);
    expect(JSON.stringify(rows)).not.toContain("secret");
    expect(await listDeliveries(store, { model: "m", name: "a" }, 1)).toHaveLength(1);
  });

  test("finished deliveries keep no secrets", async () => {
    await markSent(store, [await first()], { at: 200 });
    await enqueue(makeEnd());
    await expireDelivery(store, [await first()], {
      state: "rejected",
      reason: "no",
      code: "unreachable",
      at: 300,
    });
    await enqueue(makeStart({ episode: "x" }));
    await expireDeliveries(store, { before: 1000, at: 1000, reason: "old" });
    expect(JSON.stringify(await rows(store, "select * from outbox"))).not.toContain("secret");
  });

  test("finished deliveries stay finished", async () => {
    const row = await first();
    await markSent(store, [row], { at: 200 });
    await planRetry(store, [row], { reason: "late news", code: "unreachable", nextAt: 300 });
    await expireDelivery(store, [row], {
      state: "rejected",
      reason: "late news",
      code: "unreachable",
      at: 300,
    });
    expect(await states()).toEqual([["e:start/a", "sent"]]);
  });

  test("promise 21: kept for days, then given up, the last error with it", async () => {
    await planRetry(store, [await first()], { reason: "busy", code: "unreachable", nextAt: 300 });
    expect(await expireDeliveries(store, { before: 100, at: 900, reason: "old" })).toEqual([]);
    expect(await expireDeliveries(store, { before: 101, at: 900, reason: "old" })).toHaveLength(1);
    const rows = await listDeliveries(store, { model: "m", name: "a" }, 10);
    expect(rows).toMatchObject([{ state: "expired", lastError: "busy", endedAt: 900 }]);
  });

  test("retention never takes what waits", async () => {
    await markSent(store, [await first()], { at: 200 });
    for (const episode of ["x", "y", "z"]) {
      await enqueue(makeStart({ episode }));
      if (episode !== "z") await markSent(store, [await first()], { at: 300 });
    }
    await sweepDeliveries(store, { endedBefore: 250, keep: 1 });
    expect(await states()).toEqual([
      ["z:start/a", "waiting"],
      ["y:start/a", "sent"],
    ]);
  });
});

describe("a hook that is replaced", () => {
  test("gets what still waits, at once", async () => {
    await attach("a");
    await attach("b");
    await enqueue(makeStart());
    for (const row of await due())
      await planRetry(store, [row], { reason: "no", code: "unreachable", nextAt: 99_000 });
    await attach("a", { kind: "slack", config: { url: "new" } });
    expect(await due(0, true)).toMatchObject([{ kind: "slack", config: { url: "new" }, nextAt: 0 }]);
  });
});

describe("a test", () => {
  test("goes to one hook, behind what waits, which is tried at once", async () => {
    await attach("a");
    await attach("b");
    await enqueue(makeStart());
    await planRetry(store, [(await due())[0]!], { reason: "no", code: "unreachable", nextAt: 99_000 });
    const hook = await loadHook(store, { model: "m", name: "a" });
    const events = [makeStart({ episode: "t", test: true }), makeEnd({ episode: "t", test: true })];
    await enqueueTest(store, hook, { events, at: 200 });
    expect(await states()).toEqual([
      ["t:end/a", "waiting"],
      ["t:start/a", "waiting"],
      ["e:start/a", "waiting"],
    ]);
    expect(await states("b")).toHaveLength(1);
    expect(idsOf(await due(200, true))).toEqual(["e:start/a"]);
  });
});

describe("resends", () => {
  const send = async (row: OutboxRow, at: number, resendAt: number) =>
    markSent(store, [row], { at, resendAt });
  beforeEach(async () => {
    await attach("a", { kind: "alertmanager" });
    await enqueue(makeStart());
    await send((await due())[0]!, 100, 160);
  });

  test("a start is resent while its anomaly lasts, and delays no other event", async () => {
    expect(await due(159)).toEqual([]);
    const [again] = await due(160);
    expect(again).toMatchObject({ id: `${EPISODE}:start/a`, resend: true });
    await send(again!, 160, 220);
    expect(await states()).toEqual([
      ["e:start/a resend", "waiting"],
      ["e:start/a", "sent"],
    ]);
    await enqueue(makeStart({ episode: "x" }), 170);
    expect(idsOf(await due(170))).toEqual(["x:start/a"]);
    expect(await findNextDue(store, 170)).toBe(220);
  });

  test("the end of the episode ends it, also while one is under way", async () => {
    const [again] = await due(160);
    await enqueue(makeEnd(), 165);
    expect(idsOf(await due(500))).toEqual(["e:end/a"]);
    await send(again!, 166, 220);
    expect(idsOf(await due(500))).toEqual(["e:end/a"]);
  });

  test("so does a hook of another kind in its place", async () => {
    await attach("a", { kind: "mail" });
    expect(await due(500)).toEqual([]);
  });

  test("so does the end of the hook", async () => {
    const [again] = await due(160);
    await removeHook(store, { model: "m", name: "a" });
    await send(again!, 160, 220);
    expect(await due(500)).toEqual([]);
  });

  test("a start whose end is queued, and a test, are not resent", async () => {
    await enqueue(makeStart({ episode: "x" }), 200);
    const [start] = await due(200).then((rows) => rows.filter(({ id }) => id.startsWith("x")));
    await enqueue(makeEnd({ episode: "x" }), 201);
    await send(start!, 202, 260);
    await enqueue(makeStart({ episode: "t", test: true }), 203);
    const rows = await due(203).then((all) => all.filter(({ resend }) => !resend));
    for (const row of rows) await send(row, 204, 264);
    const resends = (await states()).map(([id]) => id!).filter((id) => id.endsWith(" resend"));
    expect(resends).toEqual(["e:start/a resend"]);
  });
});
