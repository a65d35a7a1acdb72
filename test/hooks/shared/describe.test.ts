// Default texts of mails, chat messages and alerts.
import { expect, test } from "bun:test";
import { checkHook } from "../../../src/hooks/index.ts";
import { toAlert } from "../../../src/hooks/shared/alert.ts";
import { composeShort, composeText, summarize } from "../../../src/hooks/shared/describe.ts";
import { nameFeature } from "../../../src/hooks/shared/name.ts";
import { renderText } from "../../../src/hooks/shared/text.ts";
import { startReceiver } from "../../support/receiver.ts";
import { AT, deliverEvent, low, makeContext, makeEnd, makeLevelShift, makeStart, usage } from "../events.ts";

test.each([
  [usage, "web-1 total cpu usage_user"],
  [{ ...usage, metric: "max", tags: {} }, "max of cpu usage_user"],
  [
    { ...usage, field: "value", measurement: "node_load1", tags: { instance: "a:9100" } },
    "a:9100 node_load1",
  ],
  [low, "f"],
])("the name of a feature: %#", (report, name) => {
  expect(nameFeature("f", report, {})).toBe(name);
});

test("the subject names the oddest feature", () => {
  expect(summarize(makeStart({ features: { low, user: usage } }))).toBe(
    "web-1 total cpu usage_user is too high: 93.4 (and 1 more)",
  );
  expect(summarize(makeEnd({ features: { user: usage } }))).toBe(
    "Over: web-1 total cpu usage_user was too high for 5 min",
  );
  expect(summarize(makeEnd({ features: {} }))).toBe("Over: anomaly of model m for 5 min");
  expect(summarize(makeStart({ features: { low: { ...low, observed: null } } }))).toBe(
    "low is too low: nothing observed",
  );
});

test("a series is named by its tags, once where a feature has the tag, too", () => {
  const series = { host: "web-1", cpu: "0" };
  const { tags: _, ...plain } = usage;
  const subject = (event: object) => summarize(makeStart({ series, ...event }));
  expect(subject({ features: { user: plain } })).toBe("web-1 0 cpu usage_user is too high: 93.4");
  expect(subject({ features: { user: { ...plain, tags: { dc: "fra", host: "web-1" } } } })).toBe(
    "fra web-1 0 cpu usage_user is too high: 93.4",
  );
  expect(subject({ features: {} })).toBe("Anomaly of model m (host=web-1, cpu=0)");
  expect(summarize(makeStart({ scope: "fleet", share: 0.4 }))).toBe(
    "Anomaly of 40 % of the series of model m",
  );
  expect(summarize(makeEnd({ scope: "fleet", share: 0.4 }))).toBe(
    "Over: anomaly of 40 % of the series of model m for 5 min",
  );
});

test("a start names what is left of the error budget, and texts of one's own have it", () => {
  const event = makeStart({ budget: "45.4 % of the error budget is left" });
  expect(composeText(event, "UTC")).toContain("\n45.4 % of the error budget is left.\n");
  expect(composeShort(event, "UTC")).toContain("\n45.4 % of the error budget is left.\n");
  expect(renderText("{budget}", event, "UTC")).toBe("45.4 % of the error budget is left");
});

test("a start names the change before it, in every text", () => {
  const history = { followed: 3, of: 5 };
  const told = { id: "c", kind: "deploy", title: "web 2", at: AT - 240_000, delayMs: 240_000, shared: {} };
  const event = makeStart({ change: { ...told, history } });
  const text = "4 min after deploy web 2; an anomaly followed 3 of the last 5 like it";
  expect(composeText(event, "UTC")).toContain(`\nIt began ${text}.\n`);
  expect(composeShort(event, "UTC")).toContain(`\nIt began ${text}.\n`);
  expect(toAlert(event, { timezone: "UTC" }).annotations.change).toBe(text);
  expect(renderText("{change}", event, "UTC")).toBe(text);
  const step = makeLevelShift({ change: { ...told, history } });
  expect(composeText(step, "UTC")).toContain(
    " It began around deploy web 2. What follows is compared with it.",
  );
  expect(renderText("{change}", makeStart(), "UTC")).toBe("");
});

test("placeholders of a series, and of its tags, which shadow no other", () => {
  const event = makeStart({ series: { host: "web-1", model: "x" } });
  const text = "{series}|{tag.host}|{tag.model}|{model}|{tags}";
  expect(renderText(text, event, "UTC")).toBe("host=web-1, model=x|web-1|x|m|host=web-1, model=x");
  expect(renderText("{series}|{tag.host}", makeStart(), "UTC")).toBe("|");
});

test("of a value within the band the text says what is odd, and no distance", () => {
  const explanation = "an unusual course of the last 40 intervals";
  const within = { ...usage, observed: 11, factor: 0.5, explanation };
  const textOf = (report: object) =>
    composeText(makeStart({ features: { user: { ...usage, ...report } } }), "UTC");
  expect(textOf(within)).toContain(`expected 10 (8 to 12): ${explanation}.`);
  expect(textOf(within)).not.toContain("half-width");
  expect(textOf(within)).toMatch(/ is unusual: 11/);
  expect(textOf(within)).not.toMatch(/too (high|low)/);
  expect(textOf({ explanation })).toContain("41.7 times the half-width of the band");
});

test("the text of a start and of an end", () => {
  const features = { user: usage };
  expect(composeText(makeStart({ features, url: "https://t/x", severity: "critical" }), "Europe/Paris")).toBe(
    `web-1 total cpu usage_user is too high: 93.4, expected 10 (8 to 12), 41.7 times the half-width of the band.
About one normal point in 20 000 000 is so odd.

since:    2018-05-16 17:00:20+02:00
model:    m
bucket:   telegraf
tags:     host=web-1, cpu=total
link:     https://t/x
score:    76.0
severity: critical`,
  );
  const end = composeText(makeEnd({ features, closedBy: "the model was {stopped}" }), "UTC");
  expect(end).toStartWith("The anomaly is over; it lasted 5 min.\nClosed by: the model was {stopped}.\n");
  expect(end).toContain("until:    2018-05-16 15:05:20+00:00");
});

test("a chat gets the first lines", () => {
  expect(composeShort(makeStart({ features: { user: usage } }), "UTC")).toBe(
    `web-1 total cpu usage_user is too high: 93.4
expected 10 (8 to 12), 41.7 times the half-width of the band
model m; since 2018-05-16 15:00:20+00:00; tags host=web-1, cpu=total`,
  );
});

test("a link is there where the settings name an external address, and nowhere else", async () => {
  const receiver = startReceiver();
  const { config } = checkHook({ type: "webhook", name: "h", config: { url: receiver.url } });
  const post = async (externalUrl?: string, hasDashboard = false) => {
    await deliverEvent(makeStart(), { type: "webhook", config }, makeContext({ externalUrl, hasDashboard }));
    return JSON.parse(receiver.posts.at(-1)!.body);
  };
  const linked = await post("https://torus.example.org/a");
  const url = "https://torus.example.org/a/models/m/anomalies?from=1526482820&pretty=true";
  expect(linked).toMatchObject({ externalURL: "https://torus.example.org/a", event: { url } });
  expect(linked.alerts[0].generatorURL).toBe(url);
  const inDashboard = await post("https://torus.example.org/a", true);
  const { episode } = makeStart();
  expect(inDashboard.event.url).toBe(`https://torus.example.org/a/ui/#/models/m?at=${episode}`);
  const plain = await post();
  expect(plain).toMatchObject({ externalURL: "", event: makeStart() });
  expect(plain.event.url).toBeUndefined();
  await receiver.stop();
});

test.each([
  ["learning", true],
  ["fair", false],
  [undefined, false],
] as const)("with confidence %s, mails and chats warn of false alarms: %p", (confidence, warns) => {
  const event = makeStart({ features: { user: usage }, ...(confidence && { confidence }) });
  const caution = "The model is still learning: false alarms are more frequent than later.";
  expect(composeText(event, "UTC").includes(caution)).toBe(warns);
  expect(composeShort(event, "UTC").includes(caution)).toBe(warns);
});

test("a step to another level names both levels, and no expected value", () => {
  const event = makeLevelShift();
  expect(summarize(event)).toBe("web-1 total cpu usage_user is at a new level: 93, before 10");
  expect(summarize(makeLevelShift({ features: {} }))).toBe("user is at a new level: 93, before 10");
  expect(composeText(event, "UTC")).toStartWith(
    `web-1 total cpu usage_user is at a new level: 93, before 10. What follows is compared with it.

since:    2018-05-15 15:00:20+00:00`,
  );
  expect(composeShort(event, "UTC")).toBe(
    `web-1 total cpu usage_user is at a new level: 93, before 10
What follows is compared with it.
model m; since 2018-05-15 15:00:20+00:00; tags host=web-1, cpu=total`,
  );
});

test("sentences carry the unit of the feature, payloads the number and the unit", () => {
  const disk = { ...usage, observed: 93.4e9, predicted: 10e9, lower: 8e9, upper: 12e9, unit: "B" };
  const start = makeStart({ features: { disk } });
  expect(summarize(start)).toBe("web-1 total cpu usage_user is too high: 93.4 GB");
  expect(composeShort(start, "UTC")).toContain("expected 10 GB (8 GB to 12 GB), 41.7 times the half-width");
  expect(renderText("{lower}|{upper}|{expected}|{observed}|{factor}", start, "UTC")).toBe(
    '8 GB|12 GB|10 GB|{"disk":93400000000}|41.7',
  );
  expect(toAlert(start, { timezone: "UTC" }).annotations).toMatchObject({
    observed: '{"disk":93400000000}',
    unit: '{"disk":"B"}',
  });
  expect(toAlert(makeStart(), { timezone: "UTC" }).annotations).not.toHaveProperty("unit");
  const share = { ...usage, observed: 0.934, predicted: 0.1, lower: 0.08, upper: 0.12, unit: "ratio" };
  expect(summarize(makeStart({ features: { share } }))).toContain("too high: 93.4 %");
});

test("a level has the unit of its feature", () => {
  const event = makeLevelShift({ features: { user: { ...usage, unit: "ms" } } });
  expect(summarize(event)).toBe("web-1 total cpu usage_user is at a new level: 93 ms, before 10 ms");
  expect(renderText("{level}, {level_before}", event, "UTC")).toBe("93 ms, 10 ms");
});

test("a start asks for a judgement where links are made; chats and mails without them stay as they were", async () => {
  const judge = { real: "https://t/judge/r", noise: "https://t/judge/n", mute: "https://t/judge/m" };
  const text = composeText(makeStart({ judge }), "UTC");
  expect(text).toEndWith(
    "Was it an anomaly? A page asks once more before anything changes.\n" +
      "yes:      https://t/judge/r\nnoise:    https://t/judge/n\nmute 2 h: https://t/judge/m",
  );
  expect(composeText(makeStart(), "UTC")).not.toContain("judge");
  const receiver = startReceiver();
  const context = makeContext({ judgementUrls: () => judge });
  await deliverEvent(makeStart(), { type: "slack", config: { url: receiver.url } }, context);
  expect(receiver.posts[0]!.body).toContain("<https://t/judge/n|Noise>");
  await deliverEvent(makeStart(), { type: "ntfy", config: { url: receiver.url, topic: "t" } }, context);
  expect(JSON.parse(receiver.posts[1]!.body).actions).toHaveLength(3);
  await receiver.stop();
});
