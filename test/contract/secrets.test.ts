// Secrets are in no answer: a marker in every secret field of every kind is searched in all answers.
import { expect, test } from "bun:test";
import { bucketSchemas, kindOf } from "../../src/buckets/index.ts";
import { type HookType, hookKinds, hookSchemas } from "../../src/hooks/index.ts";
import { useTestServer } from "./server.ts";

const MARKER = "m4rk3r-S3cret";
const server = useTestServer();

/** What each kind needs beside its secrets; a new kind must be added here. */
const required: Readonly<Record<string, object>> = {
  local: {},
  influxdb: { addr: `http://${MARKER}:${MARKER}@127.0.0.1:9`, database: "d", measurement: "m" },
  prometheus: { addr: `http://${MARKER}:${MARKER}@127.0.0.1:9` },
  postgres: { addr: `${MARKER}:${MARKER}@127.0.0.1:9`, database: "d", table: "t", time_column: "at" },
  csv: { path: "x" },
  elasticsearch: { addr: `http://${MARKER}:${MARKER}@127.0.0.1:9`, index: "i" },
  elasticsearch_aws: {
    host: "http://127.0.0.1:9",
    region: "eu-west-1",
    index: "i",
    access_key: MARKER,
    secret_key: MARKER,
  },
  clickhouse: { addr: `http://${MARKER}:${MARKER}@127.0.0.1:9`, table: "t" },
  opentsdb: { addr: `http://${MARKER}:${MARKER}@127.0.0.1:9` },
  warp10: { url: "http://127.0.0.1:9", read_token: MARKER },
  mongodb: { addr: "127.0.0.1:9", database: "d", collection: "c" },
  mqtt: { addr: "127.0.0.1:9", topics: [{ topic: "a" }] },
};

/** Sends, and checks that the answer holds no marker. */
async function send(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }> {
  const init =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  const response = await fetch(`${server.url}${path}`, { method, ...init });
  const text = await response.text();
  const whole = `${method} ${path} ${JSON.stringify([...response.headers])} ${text}`;
  expect(whole.includes(MARKER) ? whole.replaceAll(MARKER, "<MARKER>") : "").toBe("");
  return { status: response.status, text };
}

const routes = (bucket: string): readonly [string, string, unknown?][] => [
  ["GET", "/buckets"],
  ["GET", `/buckets/${bucket}`],
  ["GET", `/buckets/${bucket}?fields=name;dbuser_password;password;addr&include_fields=true`],
  ["GET", `/buckets?sort=password:1`],
  ["POST", `/buckets/${bucket}/_write`, [{ timestamp: 1, x: 1 }]],
  ["POST", `/buckets/${bucket}/_read?from=0&to=60&bucket_interval=1m&features=avg(x)`],
  ["POST", `/buckets/${bucket}/_clear`],
  ["GET", "/jobs"],
  ["GET", "/models"],
  ["GET", "/openapi.json"],
];

for (const type of bucketSchemas.keys()) {
  const own = kindOf({ type }).secrets;
  const planted = Object.fromEntries(own.map((key) => [key, `${MARKER}-${key}`]));
  const bucket = `secret_${type}`;

  test(`bucket kind ${type}: secrets are kept, and shown nowhere`, async () => {
    const settings = { name: bucket, type, ...required[type], ...planted };
    expect(required[type]).toBeDefined();
    // Two ways to say the same are refused together: each is planted on its own below.
    const first = await send("POST", "/buckets", settings);
    if (first.status === 201) await send("DELETE", `/buckets/${bucket}`);
    else expect(first.status).toBe(400);
    for (const key of Object.keys(planted)) {
      const one = { name: bucket, type, ...required[type], [key]: planted[key] };
      const { status } = await send("POST", "/buckets", one);
      expect([key, status]).toEqual([key, 201]);
      for (const [method, path, body] of routes(bucket)) await send(method, path, body);
      await waitForJobs();
      await send("GET", "/jobs");
      await send("DELETE", `/buckets/${bucket}`);
    }
    await send("POST", "/buckets", { name: bucket, type, ...required[type] });
    for (const [method, path, body] of routes(bucket)) await send(method, path, body);
    await waitForJobs();
    await send("GET", "/jobs");
  });

  test(`bucket kind ${type}: a mistake beside a secret does not bring it out`, async () => {
    for (const wrong of [{ zzz: MARKER }, { retention: { deep: MARKER } }, { name: 1 }, { addr: [MARKER] }]) {
      const { status } = await send("POST", "/buckets", {
        name: "x",
        type,
        ...required[type],
        ...planted,
        ...wrong,
      });
      expect(status).toBe(400);
    }
    for (const key of own) {
      await send("POST", "/buckets", { name: "x", type, ...required[type], [key]: { nested: MARKER } });
      await send("POST", "/buckets", { name: "x", type, ...required[type], [key]: [MARKER] });
      await send("PATCH", `/buckets/${bucket}`, { [key]: { nested: MARKER } });
    }
  });
}

async function waitForJobs(): Promise<void> {
  for (;;) {
    const jobs = (await (await fetch(`${server.url}/jobs`)).json()) as { state: string }[];
    if (jobs.every(({ state }) => state !== "waiting" && state !== "running")) return;
    await Bun.sleep(10);
  }
}

test("a PATCH without the secret keeps it: what is shown can be sent back", async () => {
  const bucket = { name: "keeps", type: "influxdb", addr: "127.0.0.1:9", database: "d", measurement: "m" };
  await send("POST", "/buckets", { ...bucket, dbuser: "u", dbuser_password: MARKER });
  const [shown] = JSON.parse((await send("GET", "/buckets/keeps")).text) as [Record<string, unknown>];
  expect(shown).toEqual(bucket);
  expect((await send("PATCH", "/buckets/keeps", { ...shown, measurement: "other" })).status).toBe(204);
});

const hookSecrets: Readonly<Record<HookType, Record<string, unknown>>> = {
  mail: { from: { address: "a@example.org" }, to: { address: "b@example.org" } },
  annotations: { type: "torus", bucket: "keeps" },
  webhook: {
    url: `https://${MARKER}:${MARKER}@example.org/x?token=${MARKER}`,
    secret: MARKER,
    body: { token: "{values.key}" },
    values: { key: MARKER },
  },
  alertmanager: { url: `https://${MARKER}:${MARKER}@example.org/` },
  slack: { url: `https://hooks.slack.com/services/${MARKER}` },
  teams: { url: `https://example.org/workflows/1?sig=${MARKER}` },
  ntfy: { topic: MARKER, token: MARKER },
  mqtt: { addr: "example.org", username: MARKER, password: MARKER },
  exec: { path: "/bin/true" },
};

test("hooks: secrets of every kind are shown nowhere", async () => {
  const features = [{ name: "f", metric: "avg", field: "x" }];
  await send("POST", "/models", { name: "m", type: "donut", bucket_interval: "1m", features });
  for (const kind of Object.keys(hookKinds) as HookType[]) {
    const name = `h_${kind}`;
    const { status } = await send("POST", "/models/m/hooks", { name, type: kind, config: hookSecrets[kind] });
    // The settings of this server allow no program.
    expect([kind, status]).toEqual([kind, kind === "exec" ? 400 : 201]);
    await send("POST", "/models/m/hooks", {
      name,
      type: kind,
      config: { ...hookSecrets[kind], zzz: MARKER },
    });
    for (const path of ["hooks", "hooks?full=true", `hooks/${name}`, `hooks/${name}/deliveries`])
      await send("GET", `/models/m/${path}`);
    await send("PUT", "/hooks", { name, type: kind, config: hookSecrets[kind] });
    await send("PUT", "/hooks", { name, type: kind, config: { ...hookSecrets[kind], zzz: MARKER } });
    for (const path of ["hooks", "hooks?full=true", `hooks/${name}`, `hooks/${name}/deliveries`])
      await send("GET", `/${path}`);
  }
  expect([...hookSchemas.keys()].sort()).toEqual(Object.keys(hookKinds).sort());
});

test("templates and scheduled jobs show no secrets either", async () => {
  const json = {
    name: "b",
    type: "influxdb",
    addr: `http://u:${MARKER}@h`,
    database: "d",
    measurement: "m",
    dbuser_password: MARKER,
    deep: [{ password: MARKER }],
  };
  const job = {
    name: "nightly",
    method: "post",
    relative_url: "/buckets",
    json,
    params: { token: MARKER },
    every: { unit: "day" },
  };
  expect((await send("POST", "/scheduled_jobs", job)).status).toBe(201);
  for (const path of ["/scheduled_jobs", "/scheduled_jobs/nightly"]) await send("GET", path);
});

test("and the log knows none of them", () => {
  const lines = server.lines.filter((line) => line.includes(MARKER));
  expect(lines.map((line) => line.replaceAll(MARKER, "<MARKER>"))).toEqual([]);
  expect(server.lines.length).toBeGreaterThan(0);
});

test("calendars: an address is shown nowhere but its host", async () => {
  const { length } = server.lines;
  const urls = [
    `https://${MARKER}:${MARKER}@203.0.113.1:9/${MARKER}/basic.ics?token=${MARKER}`,
    `http://203.0.113.1:9/private-${MARKER}/basic.ics`,
  ];
  for (const url of urls) {
    expect((await send("POST", "/calendars", { name: "secret", url, refresh: "5m" })).status).toBe(201);
    await send("GET", "/calendars/secret");
    expect((await send("GET", "/calendars")).text).toContain("203.0.113.1:9/***");
    for (const wrong of [
      { refresh: "1s" },
      { url: [url] },
      { url: `${url}#${MARKER}` },
      { ical: 1 },
      { zzz: url },
    ])
      expect((await send("PATCH", "/calendars/secret", wrong)).status).toBe(400);
    const resources = [{ kind: "calendar", settings: { name: "secret", url: `${url}x` } }];
    await send("POST", "/_apply?dry_run=true", { resources });
  }
  expect((await send("DELETE", "/calendars/secret")).status).toBe(204);
  expect(server.lines.slice(length).filter((line) => line.includes(MARKER))).toEqual([]);
});
