// Hooks of the API: attach, replace, read back without secrets, delete.
import { beforeEach, expect, test } from "bun:test";
import { wantsEvent } from "../../../src/core/anomaly/hook-options.ts";
import { changeEpisodes } from "../../../src/store/anomalies/episodes.ts";
import { write } from "../../../src/store/db/transaction.ts";
import { loadHook, putHook } from "../../../src/store/hooks.ts";
import { codeOf, dump } from "../../store/temporary.ts";
import { aModel } from "../../support/builders.ts";
import { useWorld } from "../world.ts";

const world = useWorld();
const config = { from: { address: "a@example.org" }, to: { address: "b@example.org" } };
const marks = { type: "annotations", name: "marks", config: { type: "anomaly", bucket: "b" } };
beforeEach(() => world.models.create(aModel()));

test("attached hooks are listed by name, or whole", async () => {
  await world.hooks.put("m", marks);
  await world.hooks.put("m", { type: "mail", name: "a.mail", config });
  expect(await world.hooks.list("m")).toEqual(["a.mail", "marks"]);
  expect(await world.hooks.list("m", { full: "True" })).toEqual([
    { type: "mail", name: "a.mail", config },
    marks as never,
  ]);
  expect(await world.hooks.get("m", "marks")).toEqual(marks as never);
  await world.hooks.remove("m", "marks");
  expect(await world.hooks.list("m")).toEqual(["a.mail"]);
});

test("replace takes the name from the path, may change the type, and creates a missing hook", async () => {
  await world.hooks.put("m", marks);
  await world.hooks.put("m", { type: "mail", config }, "marks");
  expect(await world.hooks.get("m", "marks")).toEqual({ type: "mail", name: "marks", config });
  await world.hooks.put("m", { ...marks, name: "fresh" }, "fresh");
  expect(await world.hooks.list("m")).toEqual(["fresh", "marks"]);
});

test("groups that wait until their events have expired are refused; stored ones stay", async () => {
  const webhook = { type: "webhook", config: { url: "https://hooks.test/a" } };
  const put = (times: object) => world.hooks.put("m", { ...webhook, ...times }, "h");
  for (const key of ["group_wait", "group_interval"])
    await expect(put({ [key]: "100d" })).rejects.toThrow(`${key}: must be at most 2d`);
  const change = () => ({ kind: "webhook", config: webhook.config, options: { group_wait: "4d" } });
  await putHook(world.store, { model: "m", name: "h" }, { at: 1, change });
  await put({ group_wait: "4d", group_interval: "2d" });
  await expect(put({ group_wait: "5d" })).rejects.toThrow("group_wait: must be at most 2d");
});

test("a replaced hook keeps the secrets it was not given", async () => {
  // No kind of today has a secret key of its own; the store may hold one all the same.
  const change = () => ({ kind: "mail", config: { ...config, token: "hunter2" } });
  await putHook(world.store, { model: "m", name: "h" }, { at: 1, change });
  expect(JSON.stringify(await world.hooks.list("m", { full: true }))).not.toContain("hunter2");
  await world.hooks.put(
    "m",
    {
      type: "mail",
      config: { ...config, to: { address: "c@example.org" } },
    },
    "h",
  );
  expect((await loadHook(world.store, { model: "m", name: "h" })).config).toEqual({
    from: config.from,
    to: { address: "c@example.org" },
    token: "hunter2",
  });
});

test.each([
  [{ from: "01:00" }, "mute.0.to"],
  [{ until: "tomorrow" }, "mute.0.until"],
  [{ calendar: "sales" }, "mute.0.calendar"],
  [{ from: "01:00", to: "02:00", series: { host: "a" } }, "mute.0.series"],
])("a hook cannot be muted with %j", async (window, path) => {
  const put = world.hooks.put("m", { ...marks, mute: [window] });
  await expect(put).rejects.toThrow(path);
});

test("mutes of a hook are shown as they were stored", async () => {
  const mute = [{ weekdays: ["monday"], from: "01:00", to: "02:00" }];
  await world.hooks.put("m", { ...marks, mute });
  expect(await world.hooks.get("m", "marks")).toMatchObject({ mute });
});

test("a mute window that has ended is refused, unless it was there before or is of a file", async () => {
  const ended = { until: "1970-01-01T00:00:00Z" };
  const hook = { ...marks, mute: [ended] };
  await expect(world.hooks.put("m", hook)).rejects.toThrow("mute.0.until: must be in the future");
  await world.hooks.put("m", hook, undefined, { endedMutes: true });
  await world.hooks.put("m", hook);
});

test("a new hook that chooses no events gets silence, too; its answer names no events", async () => {
  await world.hooks.put("m", marks);
  const { options } = await loadHook(world.store, { model: "m", name: "marks" });
  expect(options).toEqual({ events: ["anomaly", "level_shift", "silence"] });
  expect(await world.hooks.get("m", "marks")).not.toHaveProperty("events");
  await world.hooks.put("m", { ...marks, events: ["drift"] }, "marks");
  expect(await world.hooks.get("m", "marks")).toMatchObject({ events: ["drift"] });
  await world.hooks.put("m", marks, "marks");
  expect((await loadHook(world.store, { model: "m", name: "marks" })).options).toEqual(options);
});

test("a hook of an older version that chooses no events keeps what it gets, also when it is replaced", async () => {
  const change = () => ({ kind: "annotations", config: marks.config });
  await putHook(world.store, { model: "m", name: "marks" }, { at: 1, change });
  const former = ["anomaly", "level_shift"] as const;
  expect(await world.hooks.get("m", "marks")).toEqual({ ...marks, events: former } as never);
  await world.hooks.put("m", { ...marks, config: { ...marks.config, text: "odd" } }, "marks");
  const { options } = await loadHook(world.store, { model: "m", name: "marks" });
  expect(options).toEqual({});
  expect(wantsEvent(options, "silence_start")).toBe(false);
  expect(await world.hooks.get("m", "marks")).toMatchObject({ events: former });
});

test("a refused request changes nothing", async () => {
  await world.hooks.put("m", marks);
  const before = await dump(world.store);
  const { hooks } = world;
  await expect(hooks.put("x", marks)).rejects.toThrow("model x does not exist");
  expect(await codeOf(hooks.put("x", {}))).toBe("not_found");
  expect(await codeOf(hooks.put("m", { ...marks, type: "pager" }))).toBe("invalid");
  await expect(hooks.put("m", { ...marks, name: "other" }, "marks")).rejects.toThrow(
    "name: must be the name",
  );
  expect(await codeOf(hooks.put("m", marks, "a;b"))).toBe("invalid");
  expect(await codeOf(hooks.put("m", null, "marks"))).toBe("invalid");
  expect(await codeOf(hooks.list("m", { full: "perhaps" }))).toBe("invalid");
  expect(await codeOf(hooks.get("m", "x"))).toBe("not_found");
  expect(await codeOf(hooks.remove("m", "x"))).toBe("not_found");
  expect(await dump(world.store)).toBe(before);
});

test("a secret that is required need not be sent again, and is missed where there is none", async () => {
  const url = "https://hooks.example.org/hunter2";
  await world.hooks.put("m", { type: "slack", name: "s", config: { url } });
  const shown = await world.hooks.get("m", "s");
  expect(shown).toEqual({ type: "slack", name: "s", config: {} });
  await world.hooks.put("m", { ...shown, config: { templates: { anomaly_end: "over" } } });
  const row = await loadHook(world.store, { model: "m", name: "s" });
  expect(row.config).toEqual({ url, templates: { anomaly_end: "over" } });
  expect(await codeOf(world.hooks.put("m", { ...shown, name: "other" }))).toBe("invalid");
  expect(await codeOf(world.hooks.put("m", { type: "webhook", config: {} }, "s"))).toBe("invalid");
});

test("a test puts a marked start and end into the outbox, and the deliveries show them without secrets", async () => {
  await world.hooks.put("m", { type: "slack", name: "s", config: { url: "https://x.example/hunter2" } });
  await world.hooks.test("m", "s");
  const deliveries = (await world.hooks.deliveries("m", "s")).entries;
  expect(deliveries).toMatchObject([
    { event: "anomaly_end", test: true, type: "slack", state: "waiting", attempts: 0 },
    { event: "anomaly_start", test: true, type: "slack", state: "waiting", attempts: 0 },
  ]);
  expect(JSON.stringify(deliveries)).not.toContain("hunter2");
  expect((await world.hooks.deliveries("m", "s", { per_page: 1, page: 0 })).entries).toHaveLength(1);
  expect(await codeOf(world.hooks.test("m", "x"))).toBe("not_found");
  expect(await codeOf(world.hooks.deliveries("m", "x"))).toBe("not_found");
  expect(await codeOf(world.hooks.test("x", "s"))).toBe("not_found");
});

test("a preview shows what would be sent, of a test anomaly first, then of the last one; nothing is stored", async () => {
  const templates = { anomaly_start: { subject: "{model} is odd", content: "since {date}: {reason}" } };
  const hook = { type: "mail", name: "h", config: { ...config, templates } };
  const [start, end] = await world.hooks.preview("m", hook);
  expect(start).toMatchObject({
    event: "anomaly_start",
    test: true,
    to: ["b@example.org"],
    subject: "[test] m is odd",
    text: expect.stringMatching(/^since 1970-.*v/),
  });
  expect(end).toMatchObject({ event: "anomaly_end", test: true });
  expect(await world.hooks.list("m")).toEqual([]);
  const report = { v: { type: "high" as const, score: 99, observed: 9, predicted: 1, lower: 0, upper: 2 } };
  const span = {
    startAt: 3_600_000,
    peakScore: 99,
    features: report,
    peak: report,
    severity: "critical" as const,
  };
  const episode = { id: crypto.randomUUID(), model: "m", origin: "live" as const, ...span };
  await write(world.store, (tx) => changeEpisodes(tx, [{ change: "open", episode }]));
  const shown = await world.hooks.preview("m", hook);
  expect(shown.map(({ event, test }) => [event, test])).toEqual([["anomaly_start", undefined]]);
  expect(shown[0]!.subject).toBe("m is odd");
});

test("a preview takes stored secrets and shows none; a wrong hook is refused as when it is attached", async () => {
  const webhook = { type: "webhook", name: "w", config: { url: "https://example.org/x", secret: "hunter2" } };
  await world.hooks.put("m", webhook);
  const body = { ...webhook, config: { url: "https://example.org/x", headers: { a: "geheim" } } };
  const text = JSON.stringify(await world.hooks.preview("m", body));
  expect(text).toContain("firing");
  expect(text).not.toMatch(/hunter2|geheim/);
  const wrong = { ...webhook, config: { url: "nowhere" } };
  expect(await codeOf(world.hooks.preview("m", wrong))).toBe("invalid");
  expect(await codeOf(world.hooks.preview("none", webhook))).toBe("not_found");
});
