// SIGHUP on a real process: what takes effect at once, what needs a restart, and that a bad file changes nothing.
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../support/folder.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { startSmtp } from "../support/smtp.ts";

const root = temporaryFolder();

let server: ServerProcess | undefined;
afterEach(async () => {
  await server?.kill();
  server = undefined;
});

const file = join(root, "torus.yml");
setDefaultTimeout(180_000);
const PATIENCE_MS = 20_000;

async function start(settings: string): Promise<ServerProcess> {
  writeFileSync(file, settings);
  // A variable would go before the file.
  const env = { TORUS_SERVER_WORKERS: undefined };
  server = await startServer({ dataDir: temporaryFolder(), args: ["--config", file], env });
  return server;
}

interface Line {
  readonly msg: string;
  readonly level: string;
  readonly reason?: string;
  readonly settings?: readonly string[];
}

/** Sends SIGHUP, and waits for the line that says what came of it. */
async function reload({ pid, lines }: ServerProcess, settings: string): Promise<Line> {
  writeFileSync(file, settings);
  const seen = lines.length;
  process.kill(pid, "SIGHUP");
  const deadlineAt = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = lines.slice(seen).find((line) => /"settings (not )?reloaded/.test(line));
    if (found) return JSON.parse(found);
    if (Date.now() > deadlineAt) throw new Error(`no word of a reload: ${lines.slice(seen).join("\n")}`);
    await Bun.sleep(10);
  }
}

const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${server!.url}${path}`, { headers });
  return { status: response.status, headers: response.headers, body: await response.json() };
};
const names = async (path: string) =>
  ((await get(path)).body as { name?: string; settings?: { name: string } }[]).map(
    ({ name, settings }) => name ?? settings?.name,
  );

const buckets = "buckets: [{name: a, type: local}]\n";
const more = (threshold: number) => `buckets: [{name: a, type: local}, {name: b, type: local}]
templates: [{name: t, settings: {name: "{{x}}", type: donut, bucket_interval: 5m, features: [{name: f, metric: avg, field: f}]}}]
models:
  - name: m
    type: donut
    default_bucket: b
    bucket_interval: 5m
    max_threshold: ${threshold}
    features: [{name: load, metric: avg, field: load}]
    hooks: [{name: h, type: webhook, config: {url: "https://example.org/", secret: s3cret-of-hook}}]
scheduled_jobs: [{name: "train {{model_name}}", method: post, relative_url: "/models/{{model_name}}/_train", every: {unit: day}}]
`;

test("buckets, templates, models, hooks and scheduled jobs come and change; what the file loses stays", async () => {
  const running = await start(buckets);
  expect(await reload(running, more(70))).toMatchObject({ msg: "settings reloaded", level: "info" });
  expect(await names("/buckets")).toEqual(["a", "b"]);
  expect(await names("/templates")).toEqual(["t"]);
  expect(await names("/models")).toEqual(["m"]);
  expect(await names("/models/m/hooks?full=true")).toEqual(["h"]);
  expect(await names("/scheduled_jobs")).toEqual(["train m"]);

  await reload(running, more(80));
  expect((await get("/models/m")).body).toMatchObject([{ settings: { max_threshold: 80 } }]);
  const seen = running.lines.length;
  await reload(running, more(80));
  expect(running.lines.slice(seen).join()).not.toContain("defined by the settings");

  await reload(running, buckets);
  expect(await names("/models")).toEqual(["m"]);
  expect(await names("/buckets")).toEqual(["a", "b"]);
  expect(await names("/scheduled_jobs")).toEqual([]);
  const left = running.lines.filter((line) => line.includes("no longer in the settings"));
  expect(left.map((line) => JSON.parse(line).kind).sort()).toEqual(["bucket", "hook", "model", "template"]);
  expect(running.lines.join()).not.toContain("s3cret-of-hook");
  expect(await running.stop()).toBe(0);
});

const token = "torus_0123456789012345678901234567890123456789012";
const auth = `server: {auth: {tokens: [{name: ops, scope: admin, token: ${token}}]}}\n`;

test("a bad file changes nothing, and is logged with path and rule", async () => {
  const running = await start(buckets);
  const bad: [string, string, RegExp][] = [
    ["not YAML", "buckets: [", /torus\.yml:\d+:\d+: is not valid YAML/],
    ["an unknown setting", `${more(70)}modles: []\n`, /modles is unknown; did you mean models/],
    ["a bad model", `${auth}${more(101)}`, /models\.0.*max_threshold.*from 0 to 100/],
    [
      "a bad hook",
      more(70).replace("type: webhook", "type: webhok"),
      /models\.0\.hooks\.0.*did you mean webhook/,
    ],
    ["a token too few", `server: {auth: {required: true}}\n${more(70)}`, /server\.auth\.required.*no token/],
  ];
  for (const [what, text, reason] of bad) {
    const line = await reload(running, text);
    expect([what, line.msg, line.level]).toEqual([
      what,
      "settings not reloaded: the old ones stay effective",
      "error",
    ]);
    expect(line.reason).toMatch(reason);
  }
  expect(await names("/buckets")).toEqual(["a"]);
  expect(await names("/models")).toEqual([]);
  expect((await get("/models")).status).toBe(200);
});

test("log level, cors, hosts, tokens and limits take effect; what needs a restart is named in one line", async () => {
  const running = await start(buckets);
  const origin = { origin: "https://a.example" };
  expect((await get("/buckets", { host: "torus.example" })).status).toBe(421);
  const line = await reload(
    running,
    `server: {cors: ["https://a.example"], allowed_hosts: [torus.example], limits: {body_bytes: 10, idle: 40s}, workers: 1}\nlog: {level: debug}\n${buckets}`,
  );
  expect(line).toMatchObject({ level: "warn", settings: ["server.workers", "server.limits.idle"] });
  const allowed = await get("/buckets", { host: "torus.example", ...origin });
  expect([allowed.status, allowed.headers.get("access-control-allow-origin")]).toEqual([200, origin.origin]);
  const post = {
    method: "POST",
    body: '{"name": "c", "type": "local"}',
    headers: { "content-type": "application/json" },
  };
  expect((await fetch(`${server!.url}/buckets`, post)).status).toBe(413);
  expect(running.lines.some((each) => each.includes('"msg":"request"'))).toBe(true);

  await reload(running, `${auth}${buckets}`);
  expect((await get("/buckets")).status).toBe(401);
  expect((await get("/buckets", { authorization: `Bearer ${token}` })).status).toBe(200);
  await reload(running, buckets);
  expect((await get("/buckets")).status).toBe(200);
  expect(running.lines.join()).not.toContain(token);
});

test("a mail server, and what hooks may do, take effect", async () => {
  const smtp = await startSmtp();
  const features = "[{name: f, metric: avg, field: x}]";
  const to = "{from: {address: t@example.org}, to: {address: o@example.org}}";
  const model = `models: [{name: m, type: donut, bucket_interval: 1m, features: ${features}, hooks: [{name: h, type: mail, config: ${to}}]}]\n`;
  const running = await start(model);
  writeFileSync(join(root, "mail.yml"), `smtp: {host: 127.0.0.1, port: ${smtp.port}, tls: false}\n`);
  const exec = { name: "e", type: "exec", config: { path: "/bin/true" } };
  const put = () =>
    fetch(`${server!.url}/models/m/hooks`, {
      method: "PUT",
      body: JSON.stringify(exec),
      headers: { "content-type": "application/json" },
    });
  expect((await put()).status).toBe(400);
  await reload(
    running,
    `hooks: {mail: {config: ${join(root, "mail.yml")}}, exec: {allow: [/bin/true]}}\n${model}`,
  );
  expect((await put()).status).toBe(201);
  await fetch(`${server!.url}/models/m/hooks/h/_test`, { method: "POST" });
  expect((await smtp.arrived(1)).to).toEqual(["o@example.org"]);
  await smtp.stop();
});
