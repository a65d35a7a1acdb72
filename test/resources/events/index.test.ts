// Server-sent events: filters, resumption from the ring, slow readers, ends.
import { beforeEach, expect, test } from "bun:test";
import type { ServerEventView } from "../../../src/api/event.ts";
import type { Change } from "../../../src/core/change.ts";
import { Events, MAX_STREAMS, MAX_STREAMS_PER_CLIENT } from "../../../src/resources/events/index.ts";
import { Feed } from "../../../src/runtime/feed.ts";
import { FakeClock } from "../../jobs/fakes.ts";
import { useWorld } from "../world.ts";

let clock: FakeClock;
let changes: Feed<Change>;
let events: Events;
/** Types of the events put into streams. */
let sent: string[];
/** Streams cut because their client did not read. */
let slow: number;
let clients = 0;

beforeEach(() => {
  clock = new FakeClock();
  changes = new Feed<Change>();
  sent = [];
  slow = 0;
  const counts = { onSent: (type: string) => void sent.push(type), onSlow: () => void slow++ };
  events = new Events({ store: { changes }, clock, ...counts });
});

const model = (name: string): Change => ({ type: "model", model: name, step: "changed" });
const job = (name: string | null): Change => ({
  type: "job",
  id: "j",
  job: "read",
  model: name,
  state: "done",
});
const list = (lastId?: string, params = {}) => events.list({ params, lastId });
const names = (views: readonly ServerEventView[]) =>
  views.map(({ event, data }) => ("model" in data ? `${event} ${data.model}` : event));

function follow(params = {}, lastId?: string, isAllowed = () => true, client = String(clients++)) {
  const reader = events.stream({ params, lastId, client, isAllowed }).getReader();
  const read = async () => {
    const { value, done } = await reader.read();
    return done ? undefined : new TextDecoder().decode(value);
  };
  return { read, cancel: () => reader.cancel() };
}

test("a new client gets what follows, one that comes back what it missed", () => {
  changes.publish([model("a")]);
  const [ready] = list();
  expect(names(list())).toEqual(["ready"]);
  changes.publish([model("b"), job(null)]);
  expect(names(list(ready!.id))).toEqual(["ready", "model b", "job null"]);
  const [, first] = list(ready!.id);
  expect(names(list(first!.id))).toEqual(["ready", "job null"]);
});

test("filters by type and model", () => {
  const [ready] = list();
  changes.publish([model("a"), model("b"), job("a"), job(null)]);
  expect(names(list(ready!.id, { types: "job" }))).toEqual(["ready", "job a", "job null"]);
  expect(names(list(ready!.id, { models: "b;c" }))).toEqual(["ready", "model b"]);
  expect(names(list(ready!.id, { models: "a", types: "job;live" }))).toEqual(["ready", "job a"]);
  expect(() => list(undefined, { types: "job;x" })).toThrow(
    "types: must be some of model;live;anomaly;job;bucket;calendar;delivery",
  );
  expect(() => list(undefined, { models: ["a"] })).toThrow("models: must be names");
});

test.each(["", "x", "zz.1", "../..", "9".repeat(300)])("an id of another server resets: %p", (id) => {
  expect(names(list(id))).toEqual(["reset"]);
});

test("an id too old for the ring resets, one of the future too", () => {
  const [ready] = list();
  changes.publish(Array.from({ length: 1000 }, () => model("a")));
  expect(list(ready!.id)).toHaveLength(1001);
  changes.publish([model("a")]);
  const [reset] = list(ready!.id);
  expect(reset!.event).toBe("reset");
  expect(names(list(reset!.id))).toEqual(["ready"]);
  expect(names(list(reset!.id.replace(/\d+$/, "5000")))).toEqual(["reset"]);
});

test("a stream has frames with ids, beats when idle, and leaves nothing behind", async () => {
  const { read, cancel } = follow({ types: "model" });
  expect(await read()).toMatch(/^id: \w+\.0\nevent: ready\ndata: {}\n\n$/);
  changes.publish([job("a"), model("a")]);
  expect(await read()).toMatch(/^id: \w+\.2\nevent: model\ndata: {"model":"a","change":"changed"}\n\n$/);
  const beat = read();
  clock.advance(15_000);
  expect(await beat).toBe(": beat\n\n");
  expect(events.streams).toBe(1);
  await cancel();
  expect([events.streams, clock.pending]).toEqual([0, 0]);
});

test("a client that does not read is dropped with a reason; the others stay", async () => {
  const late = follow();
  const quick = follow();
  for (let i = 0; i < 1600; i++) {
    changes.publish([model("a")]);
    await quick.read();
  }
  expect(events.streams).toBe(1);
  expect(slow).toBe(1);
  expect(await late.read()).toBe('event: end\ndata: {"reason":"slow"}\n\n');
  expect(await late.read()).toBeUndefined();
});

test("a whole ring of missed events is not slow", async () => {
  const [ready] = list();
  changes.publish(Array.from({ length: 1000 }, () => model("a")));
  const { read } = follow({}, ready!.id);
  changes.publish([model("b")]);
  const text = await read();
  expect(text!.split("\n\n")).toHaveLength(1003);
});

test("a token that was deleted ends the stream at the next beat; a stop ends it at once", async () => {
  let isAllowed = true;
  const watched = follow({}, undefined, () => isAllowed);
  const open = follow();
  await Promise.all([watched.read(), open.read()]);
  isAllowed = false;
  clock.advance(15_000);
  expect(await watched.read()).toContain('{"reason":"forbidden"}');
  expect(await open.read()).toBe(": beat\n\n");
  events.close();
  expect(await open.read()).toContain('{"reason":"stopping"}');
  expect(() => follow()).toThrow("the server is stopping");
  expect(clock.pending).toBe(0);
});

test("streams of one client are limited; others have room, and so has the client once one of its own has ended", async () => {
  const mine = Array.from({ length: MAX_STREAMS_PER_CLIENT }, () => follow({}, undefined, () => true, "a"));
  expect(() => follow({}, undefined, () => true, "a")).toThrow("follows events 10 times already");
  follow({}, undefined, () => true, "b");
  await mine[0]!.cancel();
  follow({}, undefined, () => true, "a");
});

test("streams are limited", () => {
  for (let i = 0; i < MAX_STREAMS; i++) follow();
  expect(() => follow()).toThrow("100 clients follow events already");
});

test("progress reaches connected clients, and takes no place among the events kept", async () => {
  const { read } = follow({ types: "job" });
  const ready = /^id: (\S+)/.exec((await read())!)![1]!;
  const progress = { eval: 1, max_evals: 3, fraction: 0.5 };
  const running = { type: "job", id: "j", job: "training", model: "m", state: "running" } as const;
  changes.publish([{ ...running, progress, remainingMs: 2500 }, model("m")]);
  const data = { id: "j", type: "training", model: "m", state: "running" };
  const shown = { ...data, progress, remaining_time: 2.5 };
  expect(await read()).toBe(`id: ${ready}\nevent: job\ndata: ${JSON.stringify(shown)}\n\n`);
  expect(names(list(ready))).toEqual(["ready", "model m"]);
  expect(sent).toEqual(["job"]);
});

const world = useWorld();

test("what changes in the store is seen, step by step", async () => {
  const real = new Events({ store: world.store, clock: world.clock });
  const [ready] = real.list({ params: {}, lastId: undefined });
  await world.buckets.put({ name: "b", type: "local" });
  world.clock.at = 86_400_000;
  const features = [{ name: "f", metric: "avg", field: "x" }];
  await world.models.create({
    name: "m",
    type: "donut",
    default_bucket: "b",
    bucket_interval: "1m",
    features,
  });
  await world.models.patch(["m"], { span: 5 });
  const id = await world.models.train("m", { from: "now-1h" });
  await world.finish(id);
  await world.models.restore("m", "00");
  await world.models.remove(["m"]);
  const seen = real
    .list({ params: {}, lastId: ready!.id })
    .slice(1)
    .map(({ event, data }) => [event, data]);
  const step = (change: string) => ["model", { model: "m", change }];
  const state = (to: string) => ["job", { id, type: "training", model: "m", state: to }];
  expect(seen).toEqual([
    ["bucket", { bucket: "b", change: "created" }],
    step("created"),
    step("changed"),
    state("waiting"),
    state("running"),
    state("done"),
    step("trained"),
    step("restored"),
    step("deleted"),
  ] as never);
});
