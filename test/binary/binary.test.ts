// Compiled binary on its own: serves, trains, survives a kill, contains all its resources.

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import pack from "../../package.json" with { type: "json" };
import { collectNotices } from "../../src/app/licenses/notices.ts";
import { createClient } from "../../src/cli/client/client.ts";
import { temporaryFolder } from "../support/folder.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { putSmallModel } from "../support/small-model.ts";

const root = resolve(import.meta.dir, "../..");
const TEST_MS = 180_000;
setDefaultTimeout(TEST_MS);
const folder = temporaryFolder();
const program = join(folder, "alone", "torus");
const dataDir = join(folder, "data");
let server: ServerProcess | undefined;

beforeAll(async () => {
  mkdirSync(join(folder, "alone"));
  const { exitCode, stderr } = await run([process.execPath, join(root, ".ci/build.ts"), "--out", program]);
  expect(stderr).toBe("");
  expect(exitCode).toBe(0);
}, TEST_MS);
afterAll(() => server?.kill());

/** Runs a command in the binary's own folder, which has no series of the sources, or in `cwd`. */
async function run(command: string[], { cwd = join(folder, "alone"), env = process.env } = {}) {
  const child = Bun.spawn(command, { cwd, env, stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { exitCode: await child.exited, stdout, stderr };
}

async function start() {
  server = await startServer({ dataDir, program });
  return createClient({ baseUrl: server.url, sleep: () => Bun.sleep(20) });
}

test("it says its version, and writes nothing beside itself", async () => {
  expect(await run([program, "--version"])).toMatchObject({ exitCode: 0, stdout: `${pack.version}\n` });
  const { stdout } = await run([program, "version", "--json"]);
  const { platform, arch } = process;
  expect(JSON.parse(stdout)).toEqual({
    version: pack.version,
    platform: `${platform}-${arch}`,
    runtime: `bun ${Bun.version}`,
  });
  expect(readdirSync(join(folder, "alone"))).toEqual(["torus"]);
});

test("it is the same, whatever folder the build starts in", async () => {
  const again = join(folder, "again", "torus");
  const build = [process.execPath, join(root, ".ci/build.ts"), "--out", again];
  expect(await run(build, { cwd: root })).toMatchObject({ exitCode: 0 });
  expect(readFileSync(again).equals(readFileSync(program))).toBe(true);
});

test("it holds the licence texts of everything in it", async () => {
  const { exitCode, stdout } = await run([program, "licenses"]);
  expect(exitCode).toBe(0);
  expect(stdout).toBe(await collectNotices());
});

describe("files of the current folder change nothing", () => {
  const cwd = join(folder, "hostile");
  const { TORUS_ADDR: _address, TORUS_TOKEN: _token, ...env } = process.env;
  let requests = 0;
  const trap = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => {
      requests++;
      return Response.json([]);
    },
  });

  beforeAll(() => {
    mkdirSync(cwd);
    const dotenv = `TORUS_ADDR=${trap.url}\nTORUS_SERVER_LISTEN=no address\n`;
    const files = {
      "bunfig.toml": 'preload = ["./preload.ts"]\n',
      "preload.ts": 'console.log("the preload runs");\n',
      "package.json": "{ broken",
      "tsconfig.json": "{ broken",
      ".env": dotenv,
      ".env.local": dotenv,
      ".env.production": dotenv,
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  });
  afterAll(() => trap.stop(true));

  test("a preload of bunfig.toml does not run", async () => {
    expect(await run([program, "--version"], { cwd })).toEqual({
      exitCode: 0,
      stdout: `${pack.version}\n`,
      stderr: "",
    });
  });

  test("a .env does not choose the server of a client command", async () => {
    await run([program, "list-models"], { cwd, env });
    expect(requests).toBe(0);
    await run([program, "list-models"], { cwd, env: { ...env, TORUS_ADDR: trap.url.href } });
    expect(requests).toBe(1);
  });

  test("a .env does not choose the settings of the server", async () => {
    const check = [program, "serve", "--check-config"];
    expect(await run(check, { cwd, env })).toMatchObject({ exitCode: 0 });
    const variable = { TORUS_SERVER_LISTEN: "no address" };
    expect(await run(check, { cwd, env: { ...env, ...variable } })).toMatchObject({ exitCode: 2 });
  });
});

test("an unknown target of the build is refused with those there are", async () => {
  const answer = await run([process.execPath, join(root, ".ci/build.ts"), "--target", "amiga"]);
  expect(answer.exitCode).toBe(1);
  expect(answer.stderr).toContain("linux-arm64");
});

test("promise 1: it trains and forecasts; killed and started again, it answers the same", async () => {
  let client = await start();
  await putSmallModel(client);
  await client.waitForJob(await client.train("m", { from: 0, to: 18_000, max_evals: 1, epochs: 2 }));
  const forecast = await client.forecast("m", { from: 18_000, to: 18_600 });
  expect(forecast.predicted.x).toHaveLength(10);

  await server!.kill();
  client = await start();
  expect(await client.forecast("m", { from: 18_000, to: 18_600 })).toEqual(forecast);
  expect(await fetch(`${server!.url}/docs`).then((page) => page.text())).toContain("/models/{names}/_train");
  expect(await fetch(`${server!.url}/metrics`).then((text) => text.text())).toContain("torus_models 1");
  expect(await server!.stop()).toBe(0);
  expect(readdirSync(join(folder, "alone"))).toEqual(["torus"]);
});
