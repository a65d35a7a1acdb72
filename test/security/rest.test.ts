// Secrets at rest: no file of a whole server holds a marker planted by clients.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { secretsOf } from "../../src/app/security.ts";
import { bucketKinds } from "../../src/buckets/index.ts";
import { hookKinds } from "../../src/hooks/index.ts";
import { putBucket } from "../../src/store/buckets.ts";
import { openStore } from "../../src/store/db/open.ts";
import { createVault, type SealedTable } from "../../src/store/secrets/seal.ts";
import { startTestServer, type TestServer } from "../contract/server.ts";
import { temporaryFolder } from "../support/folder.ts";
import { runServer } from "../support/server-process.ts";

const MARKER = "m4rk3r-S3cret";
let dir: string;
let server: TestServer | undefined;

beforeAll(async () => {
  dir = join(temporaryFolder(), "data");
  server = await startTestServer({ dir });
});
afterAll(() => server?.stop());

async function send(method: string, path: string, body?: unknown): Promise<number> {
  const init =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  const response = await fetch(`${server!.url}${path}`, { method, ...init });
  await response.arrayBuffer();
  return response.status;
}

/** Files under the data directory in which the marker stands. */
function marked(): string[] {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  return paths.filter((path) => readFileSync(path).includes(MARKER));
}

const influx = {
  type: "influxdb",
  addr: `http://ada:${MARKER}@127.0.0.1:9`,
  database: "d",
  measurement: "m",
};
const hookSecrets: readonly { type: keyof typeof hookKinds; config: object }[] = [
  {
    type: "webhook",
    config: {
      url: `https://ada:${MARKER}@example.org/`,
      secret: MARKER,
      headers: { authorization: `Bearer ${MARKER}` },
      body: { routing_key: "{values.key}" },
      values: { key: MARKER },
    },
  },
  { type: "slack", config: { url: `https://hooks.slack.com/services/${MARKER}` } },
  { type: "teams", config: { url: `https://example.org/workflows/1?sig=${MARKER}` } },
  { type: "ntfy", config: { url: "https://ntfy.example.org/", topic: MARKER, token: MARKER } },
  { type: "alertmanager", config: { url: `http://ada:${MARKER}@127.0.0.1:9` } },
];

test("no file holds a secret of a bucket, a hook, its deliveries, or a scheduled job; nor of a token", async () => {
  const bucket = { ...influx, name: "influxdb", dbuser: "ada", dbuser_password: MARKER };
  expect(await send("POST", "/buckets", bucket)).toBe(201);
  expect(await send("PATCH", "/buckets/influxdb", { dbuser_password: `${MARKER}-2` })).toBe(204);
  const features = [{ name: "f", metric: "avg", field: "x" }];
  await send("POST", "/models", { name: "m", type: "donut", bucket_interval: "1m", features });
  for (const { type, config } of hookSecrets) {
    expect([type, await send("POST", "/models/m/hooks", { name: type, type, config })]).toEqual([type, 201]);
    expect(await send("POST", `/models/m/hooks/${type}/_test`)).toBe(200);
  }
  const job = { name: "j", method: "post", relative_url: "/buckets", every: { unit: "day" } };
  const json = { ...influx, name: "later", password: MARKER };
  expect(await send("POST", "/scheduled_jobs", { ...job, json, params: { token: MARKER } })).toBe(201);
  expect(readdirSync(dir)).toContain("torus.db-wal");
  expect(marked()).toEqual([]);
  expect(readFileSync(join(dir, "torus.db-wal"), "latin1")).toContain("sealed:1:");
});

test("seals the secrets of every kind", () => {
  const vault = createVault(new Uint8Array(32), secretsOf);
  const tables = { buckets: bucketKinds, hooks: hookKinds };
  for (const [table, kinds] of Object.entries(tables) as [SealedTable, object][])
    for (const [kind, { secrets }] of Object.entries(kinds) as [string, { secrets: string[] }][])
      for (const name of secrets) {
        const sealed = vault.seal({ table, row: ["x"] }, { [name]: MARKER }, kind);
        expect([kind, name, JSON.stringify(sealed).includes(MARKER)]).toEqual([kind, name, false]);
      }
});

test("nor after a stop, and a restart opens all of it", async () => {
  await server!.stop();
  expect(marked()).toEqual([]);
  server = await startTestServer({ dir });
  expect(await send("PATCH", "/buckets/influxdb", { measurement: "other" })).toBe(204);
  expect(await send("GET", "/scheduled_jobs/j")).toBe(200);
  expect(marked()).toEqual([]);
});

test("the directory and the key are the owner's alone", () => {
  expect(statSync(dir).mode & 0o777).toBe(0o700);
  expect(statSync(join(dir, "torus.key")).mode & 0o777).toBe(0o600);
});

test("a backup holds ciphertext only, and not the key", async () => {
  const response = await fetch(`${server!.url}/_backup`);
  const archive = Buffer.from(await response.arrayBuffer());
  expect(response.status).toBe(200);
  expect(archive.includes(MARKER)).toBe(false);
  expect(archive.includes("sealed:1:")).toBe(true);
  expect(archive.includes(readFileSync(join(dir, "torus.key"), "utf8").trim())).toBe(false);
  expect(archive.includes("torus.key")).toBe(false);
});

describe("a start", () => {
  test("without the key, or with another one, is refused with what to do; exit code 1", async () => {
    await server!.stop();
    server = undefined;
    const [key, away] = [join(dir, "torus.key"), join(dir, "..", "away.key")];
    renameSync(key, away);
    const missing = await runServer({ dataDir: dir });
    expect([missing.exitCode, existsSync(key)]).toEqual([1, false]);
    expect(missing.output).toMatch(
      /torus\.key is missing: put that key back, or name its file in storage\.previous_key_file/,
    );
    const env = { TORUS_KEY: Buffer.alloc(32, 9).toString("base64") };
    const wrong = await runServer({ dataDir: dir, env });
    expect(wrong.exitCode).toBe(1);
    expect(wrong.output).toContain("TORUS_KEY holds another one");
    expect(wrong.output).not.toContain(env.TORUS_KEY);
    renameSync(away, key);
    server = await startTestServer({ dir });
    expect(await send("GET", "/buckets/influxdb")).toBe(200);
  }, 180_000);

  test("after an upgrade seals what lay open, and says so", async () => {
    await server!.stop();
    server = undefined;
    const old = temporaryFolder();
    const before = openStore({ dir: old });
    await putBucket(before, { name: "b", kind: "influxdb", settings: { ...influx, name: "b" } }, 1);
    before.close();
    expect(readFileSync(join(old, "torus.db")).includes(MARKER)).toBe(true);
    server = await startTestServer({ dir: old });
    expect(server.lines.join("\n")).toContain("secrets stored in plain text in the database are sealed");
    for (const name of readdirSync(old))
      if (name !== "buckets")
        expect([name, readFileSync(join(old, name)).includes(MARKER)]).toEqual([name, false]);
    expect(await send("GET", "/buckets/b")).toBe(200);
  });
});
