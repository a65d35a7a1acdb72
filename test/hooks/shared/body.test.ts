// Bodies of webhooks of one's own: what arrives, what is refused, and where secrets do not show.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { join } from "node:path";
import type { HookEvent } from "../../../src/core/anomaly/event.ts";
import { checkHook, deliverEvents, previewEvent, replaceHook, viewHook } from "../../../src/hooks/index.ts";
import { errorOf } from "../../core/expect.ts";
import { startReceiver } from "../../support/receiver.ts";
import {
  EPISODE,
  low,
  makeContext,
  makeEnd,
  makeLevelShift,
  makeSilence,
  makeStart,
  usage,
} from "../events.ts";

let receiver: ReturnType<typeof startReceiver>;
beforeEach(() => {
  receiver = startReceiver();
});
afterEach(() => receiver.stop());

const check = (config: object, options: object = {}) =>
  checkHook({ type: "webhook", name: "h", config: { url: "https://example.org/", ...config }, ...options });

/** Delivers events as one notification. @returns what arrived */
async function send(events: HookEvent[], own: object) {
  const { config } = check({ url: receiver.url, ...own });
  const outcome = await deliverEvents(events, { type: "webhook", config }, makeContext({ timezone: "UTC" }));
  expect(outcome).toBe("sent");
  return receiver.posts.at(-1)!;
}

describe("what is sent", () => {
  test("texts are filled at any depth, and everything else stays", async () => {
    const body = { a: ["{model}: {severity}", 7, null, { b: true, c: "{{x}} {tag.host}{tag.none}" }] };
    const { body: text, headers } = await send([makeStart({ features: { user: usage } })], { body });
    expect(JSON.parse(text)).toEqual({ a: ["m: warning", 7, null, { b: true, c: "{x} web-1" }] });
    expect(headers.get("content-type")).toBe("application/json");
  });

  test("no value ends a text, adds a field, or is filled again", async () => {
    const features = { '"}, "x": "{model}\\': low };
    const { body } = await send([makeStart({ features })], { body: { text: "{reason}" } });
    expect(JSON.parse(body)).toEqual({ text: 'feature "}, "x": "{model}\\ is too low (score = 76.0)' });
  });

  test("ends have a body and a URL of their own, or those of starts", async () => {
    const own = { body: { do: "open {kind}" }, end_body: { do: "close {kind}" } };
    const url = `${receiver.url}/alerts`;
    const both = { ...own, url, end_url: `${url}/{episode}/close?by=alias` };
    expect(await send([makeStart()], both)).toMatchObject({
      path: "/alerts",
      body: '{"do":"open anomaly_start"}',
    });
    expect(await send([makeEnd()], both)).toMatchObject({
      path: `/alerts/${EPISODE}/close?by=alias`,
      body: '{"do":"close anomaly_end"}',
    });
    expect((await send([makeLevelShift()], both)).path).toBe("/alerts");
    expect((await send([makeEnd()], { body: own.body })).body).toBe('{"do":"open anomaly_end"}');
  });

  test("values stand in URLs, percent-encoded, and in bodies", async () => {
    const values = { token: "12:A/b?c#d", chat: "-100" };
    const own = {
      url: `${receiver.url}/bot{values.token}/send?m={model}`,
      body: { chat: "{values.chat}" },
      values,
    };
    const { path, body } = await send([makeStart({ model: "a@b" })], own);
    expect([path, body]).toEqual(["/bot12:A%2Fb%3Fc%23d/send?m=a%40b", '{"chat":"-100"}']);
  });

  test("a form has a field per text", async () => {
    const own = {
      format: "form",
      body: { To: "+49 1", n: 1, Body: "{summary} & {values.a}" },
      values: { a: "=" },
    };
    const { body, headers } = await send([makeStart()], own);
    expect(headers.get("content-type")).toBe("application/x-www-form-urlencoded");
    expect([...new URLSearchParams(body)]).toEqual([
      ["To", "+49 1"],
      ["n", "1"],
      ["Body", "count_all_requests is too low: 1 & ="],
    ]);
  });

  test("the signature is of the bytes that are sent", async () => {
    const { body, headers } = await send([makeStart()], { body: { text: "{summary}" }, secret: "s" });
    const expected = createHmac("sha256", "s").update(body).digest("hex");
    expect(headers.get("x-torus-signature")).toBe(`sha256=${expected}`);
  });

  test("long values are cut, a title to 130 characters; a test is marked", async () => {
    const own = { body: ["{title}", "{summary}", "{description}"] };
    const long = makeStart({ test: true, features: { ["\u{1F600}".repeat(2000)]: low } });
    const texts: string[] = JSON.parse((await send([long], own)).body);
    expect(
      texts.map((text) => [text.startsWith("[test] \u{1F600}"), text.endsWith("..."), text.isWellFormed()]),
    ).toEqual(Array(3).fill([true, true, true]));
    expect(texts[0]!.length).toBeWithin(129, 131);
    expect(texts[2]!.length).toBeWithin(999, 1001);
  });

  test("a body that grows beyond 256 KiB is rejected", async () => {
    const { config } = check({ url: receiver.url, body: { text: "{title}{summary}".repeat(900) } });
    const event = makeStart({ features: { ["x".repeat(5000)]: low } });
    expect(await deliverEvents([event], { type: "webhook", config }, makeContext())).toEqual({
      reject: "the filled body has more than 262144 bytes",
      code: "rejected",
    });
    expect(receiver.posts).toEqual([]);
  });

  test("a group is one request: its summary, list, worst severity and tags", async () => {
    const body = {
      t: "{summary}",
      d: "{description}",
      s: "{severity}",
      m: "{model}",
      g: "{tags} {tag.dc}",
      o: "{score}",
    };
    const { config } = check(
      { url: receiver.url, body, end_body: { over: "{title}" } },
      { group_wait: "1m" },
    );
    const tags = { dc: "fra" };
    const notify = async (events: HookEvent[]) => {
      await deliverEvents(events, { type: "webhook", config, tags }, makeContext({ timezone: "UTC" }));
      return JSON.parse(receiver.posts.at(-1)!.body);
    };
    const start = makeStart({ model: "a", episode: "a", severity: "critical" });
    expect(await notify([start, makeSilence("silence_start", { model: "b" })])).toEqual({
      t: "dc=fra: 2 new: count_all_requests is too low: 1, and 1 more",
      d: expect.stringContaining("\n- No points for 12 min"),
      s: "critical",
      m: "a, b",
      g: "dc=fra fra",
      o: "",
    });
    const ends = ["a", "b"].map((model) => makeEnd({ model, episode: model }));
    expect(await notify(ends)).toEqual({ over: expect.stringMatching(/^dc=fra: 2 over: Over: /) });
    expect(await notify([start, ends[0]!])).toMatchObject({ m: "a" });
  });
});

test.each([
  [
    "an unknown placeholder",
    { body: { a: [{ b: "{modle}" }] } },
    "config.body.a.0.b",
    "did you mean {model}?",
  ],
  [
    "an unknown value",
    { body: { a: "{values.kye}" }, values: { key: "x" } },
    "config.body.a",
    "{values.key}",
  ],
  ["a stray brace", { body: { a: "}" } }, "config.body.a", "}}"],
  ["a text", { body: "{summary}" }, "config.body", "must be an object or a list"],
  ["a long body", { body: { a: "x".repeat(16_384) } }, "config.body", "16 KiB"],
  [
    "a secret",
    { body: { payload: { routingKey: "R0" } } },
    "config.body.payload.routingKey",
    "{values.NAME}",
  ],
  [
    "a secret of ends",
    { body: {}, end_body: { api_token: "R0" } },
    "config.end_body.api_token",
    "{values.NAME}",
  ],
  ["an address with a password", { body: { a: "http://u:pw@x/" } }, "config.body.a", "{values.NAME}"],
  [
    "a placeholder for the host",
    { url: "https://{values.h}/", body: {}, values: { h: "x" } },
    "config.url",
    "path",
  ],
  [
    "a value of data in a URL",
    { url: "https://x/{reason}", body: {} },
    "config.url",
    "known are {model}, {episode}",
  ],
  ["ends elsewhere", { body: {}, end_url: "https://other.example/" }, "config.end_url", "host"],
  ["a nested form", { body: { a: { b: "c" } }, format: "form" }, "config.body", "for a form"],
  ["a list as a form", { body: ["c"], format: "form" }, "config.body", "for a form"],
  ["an unknown format", { body: {}, format: "xml" }, "config.format", "json"],
  ["a form without a body", { format: "form" }, "config.format", "set body"],
  ["an odd name of a value", { body: {}, values: { "a.b": "x" } }, "config.values", "letters"],
] as const)("%s is refused, with a way out", (_what, config, path, rule) => {
  const { code, details, message } = errorOf(() => check(config));
  expect([code, details.path]).toEqual(["invalid", path]);
  expect(message).toContain(rule);
  expect(message).not.toContain("R0");
});

test("the examples of the documentation are valid", async () => {
  const page = await Bun.file(join(import.meta.dir, "../../../docs/hooks.md")).text();
  const section = page.split("\n## ").find((part) => part.startsWith("Bodies of your own\n"))!;
  const hooks = [...section.matchAll(/```yaml\n(.*?)```/gs)].map(([, text]) =>
    checkHook(Bun.YAML.parse(text!)),
  );
  expect(hooks.map(({ name }) => name)).toEqual(["pagerduty", "opsgenie", "telegram", "discord", "sms"]);
});

test("what needs each event by itself is not grouped", () => {
  const error = errorOf(() => check({ body: { dedup_key: "{episode}" } }, { group_wait: "1m" }));
  expect([error.details.path, error.message]).toEqual([
    "config.body",
    expect.stringContaining("leave the groups out"),
  ]);
  check({ body: { dedup_key: "{episode}" } });
});

test("a view and a preview show the body without the values; what is read can be sent back", () => {
  const body = {
    token: "{values.key}",
    user: "torus",
    username: "t",
    values: "v",
    headers: "h",
    text: "{model}",
  };
  const stored = check({ body, values: { key: "hunter2" } });
  const view = viewHook(stored);
  expect(view.config).toEqual({ url: "https://example.org/", body });
  expect(replaceHook(stored, view, { programs: [], allowPrivate: true }).config).toEqual(stored.config);
  const preview = previewEvent(makeStart(), stored, makeContext())!;
  expect(JSON.parse(preview.text)).toEqual({ ...body, token: "***", text: "m" });
});
