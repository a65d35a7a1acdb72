// Groups of events as mails, webhooks, messages and programs get them.
import { expect, test } from "bun:test";
import { checkHook, deliverEvents } from "../../../src/hooks/index.ts";
import { composeGroup, summarizeGroup } from "../../../src/hooks/shared/group.ts";
import { startReceiver } from "../../support/receiver.ts";
import { makeContext, makeEnd, makeSilence, makeStart, usage } from "../events.ts";

const onHost = (i: number) => ({ ...usage, tags: { host: `web-${i}` }, rarity: i });
const starts = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    makeStart({
      model: `m${i}`,
      episode: `e${i}`,
      severity: i === 3 ? "critical" : "warning",
      features: { user: onHost(i) },
    }),
  );

test("the subject has the numbers and the worst", () => {
  const events = [...starts(12), makeEnd({ model: "m0", episode: "e0" }), makeSilence("silence_start")];
  expect(summarizeGroup({ tags: { dc: "fra" }, events })).toBe(
    "dc=fra: 12 new, 1 over: web-3 cpu usage_user is too high: 93.4, and 12 more",
  );
});

test("the text lists the worst ten of each, and the number of the others", () => {
  const lines = composeGroup({ tags: {}, events: starts(12), url: "https://t" }, "UTC").split("\n");
  expect(lines[0]).toBe("New: 12");
  expect(lines[1]).toBe(
    "- web-3 cpu usage_user is too high: 93.4 (critical, model m3, since 2018-05-16 15:00:20+00:00)",
  );
  expect(lines[2]).toStartWith("- web-11 ");
  expect(lines[11]).toBe("- and 2 more");
  expect(lines.at(-1)).toBe("link: https://t");
});

test("mails and chats have the links of each anomaly that is listed, and escape names alone", async () => {
  const links = (model: string) => ({
    real: `https://t/${model}/r`,
    noise: `https://t/${model}/n`,
    mute: `https://t/${model}/m`,
  });
  const receiver = startReceiver();
  const { config } = checkHook({ type: "slack", name: "h", group_wait: "1m", config: { url: receiver.url } });
  const context = makeContext({
    judgementUrls: ({ kind, model }) => (kind === "anomaly_start" ? links(model) : undefined),
  });
  const odd = [makeStart({ model: "<m>", episode: "e9" }), makeEnd({ model: "m5", episode: "e5" })];
  expect(await deliverEvents([...starts(2), ...odd], { type: "slack", config }, context)).toBe("sent");
  const { text } = JSON.parse(receiver.posts[0]!.body);
  expect(text).toContain(
    "Was it an anomaly? <https://t/m1/r|Yes> · <https://t/m1/n|Noise> · <https://t/m1/m|Mute 2 h>",
  );
  expect(text).toContain("model &lt;m&gt;");
  expect(text.match(/Was it an anomaly/g)).toHaveLength(3);
  await receiver.stop();
});

test("messages of ntfy, which are short, have the links of the worst three", async () => {
  const receiver = startReceiver();
  const group = { type: "ntfy", name: "h", group_wait: "1m", config: { url: receiver.url, topic: "t" } };
  const { config } = checkHook(group);
  const context = makeContext({
    allowPrivate: true,
    judgementUrls: ({ model }) => ({
      real: `https://t/${model}/r`,
      noise: `https://t/${model}/n`,
      mute: "https://t/m",
    }),
  });
  expect(await deliverEvents(starts(12), { type: "ntfy", config }, context)).toBe("sent");
  const { message } = JSON.parse(receiver.posts[0]!.body);
  expect(message).toContain("  noise:    https://t/m3/n\n");
  expect(message.match(/yes:/g)).toHaveLength(3);
  await receiver.stop();
});

test("a webhook gets all alerts, their common labels, and the key of the notification", async () => {
  const receiver = startReceiver();
  const { config } = checkHook({
    type: "webhook",
    name: "h",
    group_by: ["dc"],
    config: { url: receiver.url },
  });
  const events = [...starts(2), makeEnd({ model: "m5", episode: "e5" })];
  const target = { type: "webhook", config, tags: { dc: "fra" } };
  expect(await deliverEvents(events, target, makeContext({ key: "group/1" }))).toBe("sent");
  const [post] = receiver.posts;
  const body = JSON.parse(post!.body);
  expect(body).toMatchObject({
    status: "firing",
    groupKey: '{}:{dc="fra"}',
    groupLabels: { dc: "fra" },
    commonLabels: { alertname: "TorusAnomaly" },
    alerts: [{ status: "firing" }, { status: "firing" }, { status: "resolved" }],
  });
  expect(body.events).toHaveLength(3);
  expect(post!.headers.get("idempotency-key")).toBe("group/1");
  await receiver.stop();
});

test("kinds whose receivers group by themselves refuse the setting", () => {
  const config = { url: "http://alertmanager:9093" };
  expect(() => checkHook({ type: "alertmanager", name: "h", group_wait: "1m", config })).toThrow(
    "group_wait: is for hooks of mail, webhook, slack, teams, ntfy, exec: leave the groups out",
  );
});
