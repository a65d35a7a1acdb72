// Bodies of other systems as changes, as their documentation shows them.
import { expect, test } from "bun:test";
import { readChanges, type ShapeName } from "../../../../src/core/changes/shapes/index.ts";

const nowAt = Date.parse("2026-01-31T12:00:00Z");
const read = (body: unknown, shape?: ShapeName) => readChanges(body, nowAt, shape);
const messageOf = (body: unknown, shape?: ShapeName) => {
  try {
    return JSON.stringify(read(body, shape));
  } catch (error) {
    return (error as Error).message;
  }
};

const repository = { name: "web", full_name: "acme/web", html_url: "https://github.com/acme/web" };
const deployment = {
  id: 710,
  sha: "a10867b14bb761a232cd80139fbd4c0d33264240",
  ref: "a10867b14bb761a232cd80139fbd4c0d33264240",
  task: "deploy",
  environment: "production",
  created_at: "2026-01-31T10:00:00Z",
};
const status = {
  state: "success",
  created_at: "2026-01-31T10:04:00Z",
  log_url: "https://github.com/acme/web/actions/runs/7",
};
const deployed = {
  id: "github-deployment-710",
  at: Date.parse("2026-01-31T10:00:00Z"),
  endAt: null,
  kind: "deploy",
  title: "web a10867b to production",
  tags: { repository: "web", environment: "production" },
  url: "https://github.com/acme/web",
};
const release = {
  id: 3,
  tag_name: "v1.9.2",
  html_url: "https://github.com/acme/web/releases/tag/v1.9.2",
  published_at: "2026-01-31T11:00:00Z",
};
const alert = {
  status: "firing",
  labels: { alertname: "NodeReboot", instance: "a:9100" },
  annotations: { summary: "a has rebooted" },
  startsAt: "2026-01-31T11:30:00.5Z",
  endsAt: "0001-01-01T00:00:00Z",
  generatorURL: "https://prometheus.example.org/graph?g0.expr=up",
  fingerprint: "c4f1a3b2",
};

test.each<[name: string, body: unknown, expected: readonly object[]]>([
  ["a change", { title: "web", kind: "flag" }, [{ title: "web", kind: "flag", at: nowAt }]],
  [
    "an annotation",
    {
      dashboardUID: "jcIIG-07z",
      ...{ panelId: 2, time: 1_769_853_600_000, timeEnd: 1_769_853_660_000 },
      ...{ tags: ["deploy", "service:web", "kind:flag"], text: "new checkout\n<a>more</a>" },
    },
    [
      {
        ...{ at: 1_769_853_600_000, endAt: 1_769_853_660_000, kind: "flag", title: "new checkout" },
        tags: { deploy: "deploy", service: "web" },
      },
    ],
  ],
  ["an annotation without a time", { text: "x" }, [{ at: nowAt, kind: "annotation", tags: {} }]],
  ["a deployment", { action: "created", deployment, repository }, [deployed]],
  [
    "its success",
    { action: "created", deployment, deployment_status: status, repository },
    [{ ...deployed, endAt: Date.parse(status.created_at), url: status.log_url }],
  ],
  [
    "its failure",
    { action: "created", deployment, deployment_status: { ...status, state: "failure" }, repository },
    [],
  ],
  [
    "a release",
    { action: "published", release, repository },
    [
      {
        ...{ id: "github-release-3", kind: "release", title: "web v1.9.2", tags: { repository: "web" } },
        ...{ at: Date.parse(release.published_at), url: release.html_url },
      },
    ],
  ],
  ["a draft of a release", { action: "created", release, repository }, []],
  ["another event, as a push", { ref: "refs/heads/main", repository, sender: { login: "ada" } }, []],
  ["a ping", { zen: "Keep it logically awesome.", hook_id: 1, repository }, []],
  [
    "alerts",
    { version: "4", alerts: [alert, { ...alert, status: "resolved", endsAt: "2026-01-31T11:40:00Z" }] },
    [
      {
        ...{
          id: "alert-c4f1a3b2-2026-01-31T11:30:00.5Z",
          kind: "alert",
          title: "a has rebooted",
          endAt: null,
        },
        ...{ at: Date.parse(alert.startsAt), tags: { instance: "a:9100" }, url: alert.generatorURL },
      },
      { id: "alert-c4f1a3b2-2026-01-31T11:30:00.5Z", endAt: Date.parse("2026-01-31T11:40:00Z") },
    ],
  ],
  ["a list of several shapes", [{ title: "a" }, { text: "b" }], [{ title: "a" }, { title: "b" }]],
])("%s", (_, body, expected) => {
  expect(read(body)).toMatchObject(expected as object[]);
});

test("a named shape wins over the one that is recognized", () => {
  const body = { text: "b", alerts: [alert] };
  expect(read(body)[0]!.title).toBe("a has rebooted");
  expect(read(body, "grafana")[0]!.title).toBe("b");
});

test("a notification of Grafana's alerting has a title beside its alerts", () => {
  const others = {
    receiver: "torus",
    orgId: 1,
    state: "alerting",
    title: "[FIRING:1] NodeReboot",
    message: "",
  };
  const [change, ...more] = read({ ...others, version: "1", status: "firing", alerts: [alert] });
  expect(change).toMatchObject({ kind: "alert", title: "a has rebooted", tags: { instance: "a:9100" } });
  expect(more).toEqual([]);
});

test("what others send and no change has is left out, rather than all be refused", () => {
  const labels = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`l${i}`, "v"]));
  const ended = { ...alert, status: "resolved", endsAt: alert.endsAt };
  const [change] = read({
    alerts: [
      {
        ...ended,
        labels: { alertname: "A", kind: "kube pod", ["x".repeat(300)]: "v", ...labels },
        generatorURL: `https://example.org/${"x".repeat(2100)}`,
      },
    ],
  });
  expect(change).toMatchObject({
    kind: "alert",
    endAt: null,
    url: null,
    tags: { kind: "kube pod", l0: "v" },
  });
  expect(Object.keys(change!.tags)).toHaveLength(32);
  const early = { ...status, created_at: "2026-01-31T09:59:59Z" };
  expect(read({ deployment, deployment_status: early, repository })).toMatchObject([{ endAt: null }]);
  expect(read({ text: "b", tags: ["kind:a b"] })).toMatchObject([{ kind: "annotation" }]);
});

test("no title reorders what stands beside it", () => {
  expect(read({ text: "web \u202e1.9.2\u2069" })[0]!.title).toBe("web  1.9.2");
  expect(messageOf({ title: "web \u202e1.9.2" })).toStartWith(
    "title: must be one line of 1 to 256 characters",
  );
  expect(messageOf({ title: "web", tags: { a: "b\u2028c" } })).toStartWith(
    "tags.a: must be at most 32 texts",
  );
});

test("titles and tags of others are cut", () => {
  const [change] = read({ text: "x".repeat(300), tags: [`a:${"y".repeat(300)}`] });
  expect(change!.title).toBe(`${"x".repeat(255)}…`);
  expect(change!.tags.a).toHaveLength(256);
});

const forms = /^body: must be a change with a title, .*Alertmanager.*GitHub.*Grafana.*, or a list of these$/;

test.each([
  [{ ref: "refs/heads/main", commits: [], repository }],
  [{}],
  ["deploy"],
  [null],
])("%j is refused, with the shapes there are", (body) => {
  expect(messageOf(body)).toMatch(forms);
});

test.each<[message: string, shape: ShapeName | undefined, body: unknown]>([
  ["1: must be a change with a title", undefined, [{ title: "a" }, {}]],
  ["body: must have at least one change", undefined, []],
  ["text is unknown; known keys: id, at, ", "torus", { text: "a" }],
  ["body: must be a webhook of GitHub", "github", { title: "a" }],
  ["title: is required", undefined, { text: " " }],
  ["0.alerts.0.labels.alertname: is required", undefined, [{ alerts: [{}] }]],
  ["timeEnd: must not be before time", undefined, { text: "a", time: 1.77e12, timeEnd: 1.76e12 }],
  ["body: must have at most 1000 changes", undefined, { alerts: Array(1001).fill(alert) }],
])("%s", (message, shape, body) => {
  expect(messageOf(body, shape)).toStartWith(message);
});

test("the time of an annotation is read, or refused: it is never now in its place", () => {
  expect(read({ text: "x", time: "1769853600000" })[0]!.at).toBe(1_769_853_600_000);
  expect(read({ text: "x", time: 0, timeEnd: null })[0]!.at).toBe(nowAt);
  for (const time of ["soon", "2026-01-31T10:00:00Z", 1_769_853_600, -5, true])
    expect(messageOf({ text: "x", time })).toBe(
      "time: must be milliseconds since the epoch, as Grafana has them",
    );
  expect(messageOf([{ text: "x", timeEnd: 5 }])).toStartWith("0.timeEnd: must be milliseconds");
  expect(messageOf({ text: "x", timestamp: 1_769_853_600 })).toStartWith(
    "timestamp: is no key of an annotation",
  );
});
