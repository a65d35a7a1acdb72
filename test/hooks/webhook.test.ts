// HTTP hooks: body, signature, reachable addresses, and what of answers is reported.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { checkHook, deliverEvents, type HookType } from "../../src/hooks/index.ts";
import type { HookContext } from "../../src/hooks/kind.ts";
import { errorOf } from "../core/expect.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { AT, deliverEvent, EPISODE, low, makeContext, makeEnd, makeLevelShift, makeStart } from "./events.ts";

let receiver: Receiver;
beforeEach(() => {
  receiver = startReceiver();
});
afterEach(() => receiver.stop());

function deliver(
  type: HookType,
  config: Record<string, unknown>,
  { event = makeStart(), ...context }: Partial<HookContext> & { event?: ReturnType<typeof makeStart> } = {},
) {
  const hook = checkHook({ type, name: "h", config });
  return deliverEvent(event, { type, config: hook.config }, makeContext(context));
}

const last = () => receiver.posts.at(-1)!;
const lastBody = () => JSON.parse(last().body);

describe("webhook", () => {
  test("the label severity is that of the start in both events, the annotation the highest", async () => {
    const severityAt = async (event: ReturnType<typeof makeStart>) => {
      await deliver("webhook", { url: receiver.url }, { event });
      const [{ labels, annotations }] = lastBody().alerts;
      return [labels.severity, annotations.severity];
    };
    expect(await severityAt(makeStart({ severity: "info" }))).toEqual(["info", "info"]);
    const end = makeEnd({ severity: "critical", startSeverity: "info" });
    expect(await severityAt(end)).toEqual(["info", "critical"]);
    // Of an anomaly that an older version announced.
    expect(await severityAt(makeEnd({ severity: "info" }))).toEqual(["warning", "info"]);
  });

  test("labels and the event carry the series, or the scope and its share", async () => {
    const series = { host: "web-1", cpu: "" };
    await deliver("webhook", { url: receiver.url }, { event: makeStart({ series }) });
    expect(lastBody()).toMatchObject({ alerts: [{ labels: { host: "web-1" } }], event: { series } });
    expect(lastBody().alerts[0].labels).not.toHaveProperty("cpu");
    await deliver("webhook", { url: receiver.url }, { event: makeStart({ scope: "fleet", share: 0.4 }) });
    expect(lastBody().event).toMatchObject({ scope: "fleet", share: 0.4 });
  });

  test("a start has what is left of the error budget; an end, and a test, have none", async () => {
    const findBudget = async () => "45.4 % of the error budget is left";
    for (const event of [makeEnd(), makeStart({ test: true })]) {
      await deliver("webhook", { url: receiver.url }, { event, findBudget });
      expect(lastBody().event).not.toHaveProperty("budget");
    }
    await deliver("webhook", { url: receiver.url }, { findBudget });
    expect(lastBody().event).toMatchObject({ budget: "45.4 % of the error budget is left" });
  });

  test("a start has the change before it; an end, and a test, have none", async () => {
    const asked: string[] = [];
    const history = { followed: 3, of: 5 };
    const change = { id: "c", kind: "deploy", title: "web 2", at: AT, delayMs: 0, shared: {}, history };
    const findChange = async ({ id }: { id: string }) => {
      asked.push(id);
      return change;
    };
    await deliver("webhook", { url: receiver.url }, { findChange });
    expect(lastBody()).toMatchObject({
      alerts: [{ annotations: { change: expect.stringContaining("just after deploy web 2") } }],
      event: { change },
    });
    for (const event of [makeEnd(), makeStart({ test: true })]) {
      await deliver("webhook", { url: receiver.url }, { event, findChange });
      expect(lastBody().event).not.toHaveProperty("change");
    }
    await deliver("webhook", { url: receiver.url }, { event: makeLevelShift(), findChange });
    expect(lastBody().event.change).toEqual(change);
    expect(asked).toEqual([`${EPISODE}:start`, `${EPISODE}:level:user`]);
  });

  test("of many starts in one notification the first ten have it", async () => {
    const findChange = async (event: { id: string }) => ({
      ...{ id: event.id, kind: "deploy", title: "web 2", at: AT, delayMs: 0, shared: {} },
      history: { followed: 0, of: 0 },
    });
    const events = Array.from({ length: 12 }, (_, i) => makeStart({ episode: `e${i}` }));
    await deliverEvents(
      events,
      { type: "webhook", config: { url: receiver.url } },
      makeContext({ findChange }),
    );
    const changes = lastBody().events.map(({ change }: { change?: { id: string } }) => change?.id);
    expect(changes).toEqual([...events.slice(0, 10).map(({ id }) => id), undefined, undefined]);
  });

  test("sends what Alertmanager would, and the event", async () => {
    expect(await deliver("webhook", { url: `${receiver.url}/a/b/?x=1&y=%20` })).toBe("sent");
    expect(last()).toMatchObject({ method: "POST", path: "/a/b/?x=1&y=%20" });
    expect(last().headers.get("content-type")).toBe("application/json");
    const alert = {
      status: "firing",
      labels: { alertname: "TorusAnomaly", severity: "warning", model: "m", feature: "count_all_requests" },
      annotations: {
        summary: "count_all_requests is too low: 1",
        description: "count_all_requests is too low: 1, expected 8.5 (6 to 11).",
        observed: '{"count_all_requests":1}',
        expected: '{"count_all_requests":8.5}',
        score: "76.0",
        episode: EPISODE,
      },
      startsAt: "2018-05-16T15:00:20.966Z",
      endsAt: "0001-01-01T00:00:00Z",
      generatorURL: "",
    };
    expect(lastBody()).toMatchObject({
      version: "4",
      groupKey: '{}:{model="m"}',
      truncatedAlerts: 0,
      status: "firing",
      receiver: "h",
      groupLabels: { model: "m" },
      commonLabels: alert.labels,
      commonAnnotations: alert.annotations,
      externalURL: "",
      alerts: [alert],
      event: makeStart(),
    });
    const { fingerprint } = lastBody().alerts[0];
    await deliver("webhook", { url: receiver.url }, { event: makeEnd({ closedBy: "it was stopped" }) });
    expect(lastBody()).toMatchObject({
      status: "resolved",
      alerts: [
        {
          status: "resolved",
          fingerprint,
          endsAt: "2018-05-16T15:05:20.966Z",
          annotations: { closed_by: "it was stopped" },
        },
      ],
    });
  });

  test("signs the body, repeats its key, and carries the headers", async () => {
    const secret = "s3cret ü";
    const headers = { Authorization: "Bearer abc", "X-More": "1" };
    await deliver("webhook", { url: receiver.url, secret, headers });
    const { body, headers: got } = last();
    const expected = createHmac("sha256", secret).update(body).digest("hex");
    expect(got.get("x-torus-signature")).toBe(`sha256=${expected}`);
    expect(got.get("idempotency-key")).toBe(`${EPISODE}:start/h`);
    expect(got.get("authorization")).toBe("Bearer abc");
    expect(got.get("x-more")).toBe("1");
  });

  test.each([
    ["Host", "x"],
    ["content-LENGTH", "1"],
    ["Idempotency-Key", "x"],
    ["X-Torus-Signature", "x"],
    ["a b", "x"],
    ["a:", "x"],
    ["", "x"],
    ["X-A", "b\r\nX-C: d"],
    ["X-A", "\u0000"],
  ])("refuses the header %j: %j", (name, value) => {
    const config = { url: receiver.url, headers: { [name]: value } };
    const error = errorOf(() => checkHook({ type: "webhook", name: "h", config }));
    expect(error.code).toBe("invalid");
    expect(error.details.path).toStartWith("config.headers");
  });

  test.each([
    "example.org",
    "ftp://example.org",
    "file:///etc/passwd",
    "http://",
    "http://a b/",
    "http://x/#y",
    "http://169.254.169.254/latest",
    "http://[fe80::1]/",
    "http://2852039166/",
    "http://x/\r\nHost: y",
    "javascript:alert(1)",
  ])("refuses the address %j", (url) => {
    const error = errorOf(() => checkHook({ type: "webhook", name: "h", config: { url } }));
    expect([error.code, error.details.path]).toEqual(["invalid", "config.url"]);
  });
});

describe("private networks", () => {
  const literal = [
    "http://127.0.0.1:9/x",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://0177.0.0.1/",
    "https://10.1.2.3/",
    "http://192.168.0.1./",
    "http://[::1]:9093/",
    "http://[::ffff:10.0.0.1]/",
    "http://[fd00::1]/",
    "http://[2002:7f00:1::]/",
    "http://localhost:9/",
    "http://LocalHost./",
    "http://a.localhost/",
    "http://user:pass@127.0.0.1/",
  ];
  const put = (type: string, url: string, allowPrivate: boolean) =>
    checkHook(
      { type, name: "h", config: type === "ntfy" ? { url, topic: "t" } : { url } },
      { programs: [], allowPrivate },
    );

  test.each(literal)("%s is refused when the hook is attached, with the way out", (url) => {
    for (const type of ["webhook", "slack", "teams", "ntfy"]) {
      const { code, details, message } = errorOf(() => put(type, url, false));
      expect([code, details.path]).toEqual(["invalid", "config.url"]);
      expect(message).toContain("hooks.webhook.private_addresses");
      expect(message).not.toContain(url);
      put(type, url, true);
    }
    put("alertmanager", url, false);
  });

  test("a name is accepted: its address is checked at delivery", () => {
    for (const url of [
      "http://intranet/",
      "https://hooks.example.org/x",
      "http://1.1.1.1/",
      "http://[2606:4700::1]/",
    ])
      for (const type of ["webhook", "slack", "teams", "ntfy"]) put(type, url, false);
  });

  const urls = () => [receiver.url, receiver.url.replace("127.0.0.1", "localhost")];

  test.each([
    "webhook",
    "slack",
    "teams",
    "ntfy",
  ] as const)("%s does not reach them unless the settings allow it", async (type) => {
    const own = type === "ntfy" ? { topic: "t" } : {};
    for (const url of urls()) {
      expect(await deliver(type, { ...own, url }, { allowPrivate: false })).toEqual({
        reject: expect.stringContaining("private network"),
        code: "rejected",
      });
      expect(await deliver(type, { ...own, url })).toBe("sent");
    }
    expect(receiver.posts).toHaveLength(2);
  });

  test("a name that leads there by a detour does not either", async () => {
    for (const address of [
      "127.0.0.1",
      "10.1.2.3",
      "::1",
      "::ffff:192.168.1.1",
      "64:ff9b::a00:1",
      "fd00::1",
    ]) {
      const lookup = async () => ["93.184.215.14", address];
      const outcome = await deliver("webhook", { url: "http://x.test/" }, { allowPrivate: false, lookup });
      expect(outcome).toEqual({ reject: expect.stringContaining("private network"), code: "rejected" });
    }
    expect(receiver.posts).toEqual([]);
  });

  test("an Alertmanager may be there, as a bucket may", async () => {
    expect(await deliver("alertmanager", { url: receiver.url }, { allowPrivate: false })).toBe("sent");
  });
});

test("a redirect is not followed, and nothing the receiver says is repeated", async () => {
  receiver.behaviour = "redirect";
  expect(await deliver("webhook", { url: receiver.url })).toEqual({
    reject: "webhook answered 307, a redirect, which is not followed: set the address it leads to",
    code: "rejected",
  });
  expect(receiver.posts).toHaveLength(1);
  receiver.behaviour = "chatty";
  expect(await deliver("webhook", { url: receiver.url })).toEqual({
    reject: "webhook answered 422",
    code: "rejected",
  });
});

describe("alertmanager", () => {
  test("raises an alert that outlives a few repetitions, and resolves it", async () => {
    const config = { url: `${receiver.url}/base/`, labels: { severity: "page", team: "web" } };
    const now = () => AT + 10_000;
    expect(await deliver("alertmanager", config, { now })).toBe("sent");
    expect(last().path).toBe("/base/api/v2/alerts");
    const labels = { alertname: "TorusAnomaly", severity: "page", team: "web", model: "m" };
    expect(lastBody()).toMatchObject([
      { labels, startsAt: "2018-05-16T15:00:20.966Z", endsAt: "2018-05-16T15:05:30.966Z" },
    ]);
    await deliver("alertmanager", config, { now, event: makeEnd({ at: AT + 1 }) });
    expect(lastBody()).toMatchObject([{ labels, endsAt: "2018-05-16T15:00:20.967Z" }]);
  });

  test.each(["model", "__name__", "a-b", "1a", ""])("refuses the label %j", (label) => {
    const config = { url: receiver.url, labels: { [label]: "x" } };
    expect(errorOf(() => checkHook({ type: "alertmanager", name: "h", config })).message).toContain(
      "label name",
    );
  });
});

test("slack: values are text: no mention, no link, no placeholder comes out of them", async () => {
  const templates = { anomaly_start: "<!here> {model}: {reason}" };
  const features = { "<!channel> & {model} <http://evil|x>": low };
  await deliver("slack", { url: `${receiver.url}/T0/B0`, templates }, { event: makeStart({ features }) });
  expect(lastBody()).toEqual({
    text: "<!here> m: feature &lt;!channel&gt; &amp; {model} &lt;http://evil|x&gt; is too low (score = 76.0)",
  });
  const wrong = { url: receiver.url, templates: { anomaly_end: "{modle}" } };
  expect(errorOf(() => checkHook({ type: "slack", name: "h", config: wrong })).details.path).toBe(
    "config.templates.anomaly_end",
  );
});

test("slack: a test event is marked once, with a template as well", async () => {
  const url = `${receiver.url}/T0/B0`;
  const event = makeStart({ test: true });
  await deliver("slack", { url, templates: { anomaly_start: "{model} is odd" } }, { event });
  expect(lastBody()).toEqual({ text: "[test] m is odd" });
  await deliver("slack", { url }, { event });
  expect(lastBody().text).toStartWith("[test] count_all_requests is too low");
});

test("exec: a program that the settings do not name is not run", async () => {
  expect(await deliver("exec", { path: "/bin/true" })).toEqual({
    reject: expect.stringContaining("hooks.exec.allow"),
    code: "not_set_up",
  });
  expect(await deliver("exec", { path: "/bin/true" }, { programs: ["/bin/true"] })).toBe("sent");
  expect(await deliver("exec", { path: "/bin/../bin/true" }, { programs: ["/bin/true"] })).toHaveProperty(
    "reject",
  );
  expect(errorOf(() => checkHook({ type: "exec", name: "h", config: { path: "true" } })).code).toBe(
    "invalid",
  );
});

test("exec: the program sees nothing of the server's environment, and no shell reads its arguments", async () => {
  const path = "/usr/bin/env";
  const out = `${process.env.TMPDIR}/exec-environment`;
  // `env` runs what it is given: enough to see what a program is given.
  const args = ["sh", "-c", 'env > "$1"; echo "arg=$2" >> "$1"', "x", out, "$(id) `id` ; id"];
  expect(await deliver("exec", { path, args }, { programs: [path] })).toBe("sent");
  const text = await Bun.file(out).text();
  await Bun.file(out).delete();
  const variables = new Map(
    text
      .trim()
      .split("\n")
      .map((line) => line.split(/=(.*)/) as [string, string]),
  );
  expect(variables.get("arg")).toBe("$(id) `id` ; id");
  expect(variables.get("PATH")).toBe("/usr/local/bin:/usr/bin:/bin");
  // The rest the shell sets by itself; a variable set by a test would not reach the program, whatever it is given.
  expect([...variables.keys()].filter((name) => !/^(arg|PATH|LANG|PWD|OLDPWD|SHLVL|_)$/.test(name))).toEqual(
    [],
  );
});
