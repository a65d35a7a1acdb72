// Kind `teams`: the card, its colours and buttons, and what names cannot do in it.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { HookEvent } from "../../src/core/anomaly/event.ts";
import { checkHook, deliverEvents, previewEvent } from "../../src/hooks/index.ts";
import type { HookContext } from "../../src/hooks/kind.ts";
import { errorOf } from "../core/expect.ts";
import { startReceiver } from "../support/receiver.ts";
import { low, makeContext, makeEnd, makeLevelShift, makeStart, usage } from "./events.ts";

let receiver: ReturnType<typeof startReceiver>;
beforeEach(() => {
  receiver = startReceiver();
});
afterEach(() => receiver.stop());

const check = (config: object) => checkHook({ type: "teams", name: "h", config });
const judge = { real: "https://t/j/r", noise: "https://t/j/n", mute: "https://t/j/m" };

/** Delivers events as one notification. @returns the message that arrived, and its card */
async function send(events: HookEvent[], own: object = {}, context: Partial<HookContext> = {}) {
  const { config } = check({ url: `${receiver.url}/workflows/1?sig=a%2Bb`, ...own });
  const made = makeContext({ timezone: "UTC", ...context });
  expect(await deliverEvents(events, { type: "teams", config }, made)).toBe("sent");
  const { body, path } = receiver.posts.at(-1)!;
  expect(path).toBe("/workflows/1?sig=a%2Bb");
  const message = JSON.parse(body);
  const card = message.attachments[0].content;
  const texts: string[] = card.body.flatMap(({ text }: { text?: string }) => text ?? []);
  return { message, card, texts, bytes: Buffer.byteLength(body) };
}

test("a start is a card: title, sentences, facts, and buttons with the links", async () => {
  const event = makeStart({ features: { user: usage }, url: "https://t/ui/#/models/m" });
  const { message, card } = await send([event], {}, { judgementUrls: () => judge });
  expect(message).toEqual({
    type: "message",
    attachments: [
      { contentType: "application/vnd.microsoft.card.adaptive", contentUrl: null, content: card },
    ],
  });
  const button = (title: string, url: string) => ({ type: "Action.OpenUrl", title, url });
  expect(card).toEqual({
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    msteams: { width: "Full" },
    body: [
      {
        type: "TextBlock",
        text: "web-1 total cpu usage_user is too high: 93.4",
        wrap: true,
        size: "medium",
        weight: "bolder",
        color: "attention",
      },
      {
        type: "TextBlock",
        text: "expected 10 (8 to 12), 41.7 times the half-width of the band",
        wrap: true,
        spacing: "small",
      },
      {
        type: "FactSet",
        facts: [
          { title: "since", value: "2018-05-16 15:00:20+00:00" },
          { title: "model", value: "m" },
          { title: "bucket", value: "telegraf" },
          { title: "tags", value: "host=web-1, cpu=total" },
        ],
      },
    ],
    actions: [
      button("Open", "https://t/ui/#/models/m"),
      button("It was one", judge.real),
      button("Noise", judge.noise),
      button("Mute 2 h", judge.mute),
    ],
  });
});

test("an end is green, a new level neither; without links there are no buttons", async () => {
  const colorOf = ({ card }: { card: { body: [{ color: string }] } }) => card.body[0].color;
  const end = await send([makeEnd()]);
  expect(colorOf(end)).toBe("good");
  expect(end.card).not.toHaveProperty("actions");
  expect(colorOf(await send([makeLevelShift()]))).toBe("accent");
});

test("names form no link, mention or mark-up; a letter such as _ within a word stays", async () => {
  const features = { "[x](http://evil) <at>all</at> *b* _i_ usage_user &lt; \\\u0007": low };
  const { texts } = await send([makeStart({ features })]);
  expect(texts[0]).toBe(
    "\\[x\\](http\\://evil) \\<at\\>all\\</at\\> \\*b\\* \\_i\\_ usage_user \\&lt; \\\\  is too low: 1",
  );
  const { card } = await send([makeStart({ tags: { a: "[x](y)" }, features: {} })]);
  expect(card.body.at(-1).facts).toContainEqual({ title: "tags", value: "a=\\[x\\](y)" });
});

test("an own text replaces sentences and facts, keeps its Markdown, and escapes its values", async () => {
  const templates = { anomaly_start: "**{model}**\n[run book](https://wiki/x): {reason}" };
  const { card, texts } = await send([makeStart({ features: { "*a*": low } })], { templates });
  expect(texts.slice(1)).toEqual([
    "**m**",
    "[run book](https://wiki/x): feature \\*a\\* is too low (score = 76.0)",
  ]);
  expect(JSON.stringify(card)).not.toContain("FactSet");
  expect(
    errorOf(() => check({ url: receiver.url, templates: { anomaly_end: "{modle}" } })).details.path,
  ).toBe("config.templates.anomaly_end");
});

test("a group is one card, with links below each anomaly", async () => {
  const starts = ["a", "b"].map((model) => makeStart({ model, episode: model, features: { "[f]": low } }));
  const context = { judgementUrls: () => judge, externalUrl: "https://t", hasDashboard: true };
  const { card, texts } = await send(starts, {}, context);
  expect(texts[0]).toBe("2 new: \\[f\\] is too low: 1, and 1 more");
  expect(texts.filter((text) => text.startsWith("- \\[f\\] is too low: 1"))).toHaveLength(2);
  expect(texts).toContain(
    "Was it an anomaly? [Yes](https://t/j/r) · [Noise](https://t/j/n) · [Mute 2 h](https://t/j/m)",
  );
  expect(card.actions).toEqual([{ type: "Action.OpenUrl", title: "Open", url: "https://t/ui/#/anomalies" }]);
});

test("a message stays below the limit of Teams, whatever names there are", async () => {
  const long = (i: number) => `${'"€*\u0001'.repeat(300)}${i}`;
  const features = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [long(i), low]));
  const { bytes, texts } = await send([makeStart({ features, tags: { [long(0)]: long(1) } })]);
  expect(bytes).toBeLessThanOrEqual(20_000);
  expect(bytes).toBeGreaterThan(12_000);
  expect(texts.at(-1)).toBe("…");
  const short = await send([
    makeStart({ features: Object.fromEntries(Object.entries(features).slice(0, 1)) }),
  ]);
  expect(short.texts).toHaveLength(2);
  expect(short.texts[0]).toEndWith("…");
});

test("a preview shows the card as text, unescaped", () => {
  const event = makeStart({ test: true, features: { a_b_: low } });
  expect(previewEvent(event, check({ url: receiver.url }), makeContext({ timezone: "UTC" }))).toEqual({
    subject: "[test] a_b_ is too low: 1",
    text: "expected 8.5 (6 to 11)\nsince: 2018-05-16 15:00:20+00:00\nmodel: m",
  });
});
