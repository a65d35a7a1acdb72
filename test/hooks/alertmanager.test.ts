// Kind `alertmanager` against a real Alertmanager: raise, resend, resolve, and its own notifications.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Alertmanager, alertmanagerMissing, startAlertmanager } from "../support/alertmanager.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { deliverEvent, makeContext, makeEnd, makeStart, usage } from "./events.ts";

if (alertmanagerMissing) console.warn(alertmanagerMissing);

interface ShownAlert {
  readonly labels: Record<string, string>;
  readonly annotations: Record<string, string>;
  readonly startsAt: string;
  readonly status: { readonly state: string };
}

describe.skipIf(alertmanagerMissing !== undefined)("real Alertmanager", () => {
  let receiver: Receiver;
  let real: Alertmanager;
  /** Groups by instance. */
  let grouping: Alertmanager;
  beforeAll(async () => {
    receiver = startReceiver();
    real = await startAlertmanager(receiver.url);
    grouping = await startAlertmanager("http://127.0.0.1:1/", "instance");
  });
  afterAll(async () => {
    await real?.stop();
    await grouping?.stop();
    await receiver.stop();
  });

  const alerts = async () => (await (await fetch(`${real.url}/api/v2/alerts`)).json()) as ShownAlert[];
  const tell = (event: ReturnType<typeof makeStart>, { url }: Pick<Alertmanager, "url"> = real) =>
    deliverEvent(
      event,
      { type: "alertmanager", config: { url, labels: { team: "web" } } },
      makeContext({ now: () => Date.now() }),
    );
  /** The groups as soon as they hold so many alerts: they are formed after an alert is taken. */
  const groupsOfAlerts = async (url: string, alerts: number) => {
    for (;;) {
      const answer = await fetch(`${url}/api/v2/alerts/groups`);
      const groups = (await answer.json()) as { labels: object; alerts: ShownAlert[] }[];
      if (groups.flatMap((group) => group.alerts).length >= alerts) return groups;
      await Bun.sleep(20);
    }
  };
  const untilPosts = async (n: number) => {
    while (receiver.posts.length < n) await Bun.sleep(20);
    return receiver.posts.map(({ body }) => JSON.parse(body));
  };

  test("a start raises one alert, however often it is sent, and the end resolves it", async () => {
    const startedAt = Date.now() - 60_000;
    const start = makeStart({ at: startedAt, startedAt });
    expect(await tell(start)).toBe("sent");
    expect(await tell(start)).toBe("sent");
    expect(await alerts()).toMatchObject([
      {
        labels: { alertname: "TorusAnomaly", severity: "warning", team: "web", model: "m" },
        annotations: { description: "count_all_requests is too low: 1, expected 8.5 (6 to 11)." },
        startsAt: new Date(startedAt).toISOString(),
        status: { state: "active" },
      },
    ]);
    const [firing] = await untilPosts(1);
    expect(await tell(makeEnd({ startedAt, at: Date.now() }))).toBe("sent");
    expect(await alerts()).toEqual([]);
    const [, resolved] = await untilPosts(2);
    expect([firing.status, resolved.status]).toEqual(["firing", "resolved"]);
    // What it sends has the shape our own webhook has.
    const own = startReceiver();
    await deliverEvent(start, { type: "webhook", config: { url: own.url } }, makeContext());
    const ours = JSON.parse(own.posts[0]!.body);
    await own.stop();
    expect(Object.keys(ours)).toEqual(expect.arrayContaining(Object.keys(firing)));
    expect(Object.keys(ours.alerts[0]).sort()).toEqual(Object.keys(firing.alerts[0]).sort());
    expect(ours.version).toBe(firing.version);
    expect(ours.alerts[0].endsAt).toBe("0001-01-01T00:00:00Z");
  });

  test("alerts of two hosts carry their tags, and are grouped by instance", async () => {
    const startedAt = Date.now() - 60_000;
    for (const [model, instance] of [
      ["cpu-1", "web-1:9100"],
      ["mem-1", "web-1:9100"],
      ["cpu-2", "web-2:9100"],
    ] as const) {
      const feature = { ...usage, tags: { instance, "rack.row": "7", model: "x500" } };
      const event = makeStart({ episode: model, model, at: startedAt, startedAt, features: { f: feature } });
      expect(await tell(event, grouping)).toBe("sent");
    }
    const groups = await groupsOfAlerts(grouping.url, 3);
    const found = groups
      .map(({ labels, alerts }) => [labels, alerts.map((alert) => alert.labels.model).sort()] as const)
      .sort(([, a], [, b]) => a.length - b.length);
    expect(found).toEqual([
      [{ instance: "web-2:9100" }, ["cpu-2"]],
      [{ instance: "web-1:9100" }, ["cpu-1", "mem-1"]],
    ]);
    const [alert] = groups.flatMap((group) => group.alerts).filter(({ labels }) => labels.model === "cpu-2");
    expect(alert!.labels).toEqual({
      alertname: "TorusAnomaly",
      severity: "warning",
      team: "web",
      model: "cpu-2",
      feature: "f",
      instance: "web-2:9100",
      rack_row: "7",
      tag_model: "x500",
    });
  });

  test("an alert that Alertmanager rejects is not retried", async () => {
    const wrong = deliverEvent(
      makeStart({ startedAt: Date.UTC(2999, 0) }),
      { type: "alertmanager", config: { url: `${real.url}/nowhere` } },
      makeContext(),
    );
    expect(await wrong).toEqual({ reject: "alertmanager answered 404", code: "rejected" });
  });
});

test.each([
  "",
  "/",
  "/am",
  "/am/api/v2/alerts",
  "/am/api/v2/alerts/",
])("the address %p is one, with or without the endpoint", async (path) => {
  const receiver = startReceiver();
  const config = { url: `${receiver.url}${path}` };
  expect(await deliverEvent(makeStart(), { type: "alertmanager", config }, makeContext())).toBe("sent");
  expect(receiver.posts[0]!.path).toBe(`${path.startsWith("/am") ? "/am" : ""}/api/v2/alerts`);
  await receiver.stop();
});
