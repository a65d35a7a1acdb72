// The process: exit codes, output and signals.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { temporaryFolder } from "./support/folder.ts";

const dir = temporaryFolder();

function spawn(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return Bun.spawn([process.execPath, join(import.meta.dir, "../src/main.ts"), ...args], {
    stdout: "pipe",
    stderr: "pipe",
    env: { ...process.env, HOME: dir, ...env },
  });
}

async function run(...args: string[]) {
  const child = spawn(args);
  const [code, out, err] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code, out, err };
}

interface Line {
  readonly msg: string;
  readonly url?: string;
}

/** Starts a server and reads its log until it listens. */
async function serve() {
  const child = spawn(["--listen", "127.0.0.1:0", "--data-dir", dir]);
  const lines = readLines(child.stdout);
  let line = await lines.next();
  while (!line.done && line.value.msg !== "listening") line = await lines.next();
  if (line.done) throw new Error(await new Response(child.stderr).text());
  return { child, lines, url: line.value.url! };
}

async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<Line> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop()!;
    for (const part of parts) yield JSON.parse(part);
  }
}

test("a stop ends a start that waits for its database at once", async () => {
  const config = join(dir, "postgres.yml");
  // A port that nothing may listen on.
  await Bun.write(config, 'storage: {url: "postgres://u:p@127.0.0.1:1/x"}\n');
  const env = { TORUS_KEY: Buffer.alloc(32).toString("base64") };
  const child = spawn(["--config", config, "--listen", "127.0.0.1:0", "--data-dir", join(dir, "pg")], env);
  const lines = readLines(child.stdout);
  expect((await lines.next()).value.msg).toBe("the database cannot be used: waiting for it");
  const sentAt = performance.now();
  child.kill("SIGTERM");
  expect((await lines.next()).value.msg).toBe("stopping");
  expect((await lines.next()).value.msg).toBe("stopped");
  expect(await child.exited).toBe(0);
  expect(performance.now() - sentAt).toBeLessThan(10_000);
});

describe("without serving", () => {
  const cases: [string, string[], number, RegExp, RegExp][] = [
    ["--version", ["--version"], 0, /^2\.\d+\.\d+\n$/, /^$/],
    ["--help", ["--help"], 0, /train-model/, /^$/],
    ["serve --help", ["serve", "--help"], 0, /--data-dir DIR/, /^$/],
    ["--check-config", ["--check-config"], 0, /fine/, /^$/],
    ["an unknown flag", ["--lisen", "x"], 2, /^$/, /did you mean --listen\?/],
    ["a public address", ["--listen", "0.0.0.0:0"], 2, /^$/, /--insecure/],
    ["a missing file", ["--config", "/nowhere.yml"], 2, /^$/, /does not exist/],
    [
      "a data directory that cannot be made",
      ["--listen", "127.0.0.1:0", "--data-dir", "/dev/null/x"],
      1,
      /^$/,
      /data directory/,
    ],
  ];
  test("--check-config names every mistake on a line of its own", async () => {
    const config = join(dir, "bad.yml");
    await Bun.write(config, "server: {workers: 0, jobs_max_ttl: soon}\ntraning: {}\n");
    const { code, err } = await run("--check-config", "--config", config);
    expect([code, err.split("\n").map((line) => line.slice(0, 34))]).toEqual([
      2,
      [
        "torus: traning is unknown; did you",
        expect.stringMatching(/^server.workers: /),
        expect.stringMatching(/^server.jobs_max_ttl: must be a /),
        "",
      ],
    ]);
  });

  test("--check-config names the mistakes of all buckets", async () => {
    const config = join(dir, "buckets.yml");
    await Bun.write(config, "buckets:\n  - {type: local, retention: soon}\n  - {name: b, type: locale}\n");
    const { code, err } = await run("--check-config", "--config", config);
    expect([code, err.split("\n").map((line) => line.slice(0, 32))]).toEqual([
      2,
      [
        "torus: buckets.0.name: is requir",
        "buckets.0.retention: must be a d",
        "buckets.1.type: must be one of l",
        "",
      ],
    ]);
  });

  test.each(cases)("%s", async (_name, args, code, out, err) => {
    const ended = await run(...args);
    expect(ended.err).toMatch(err);
    expect(ended.out).toMatch(out);
    expect(ended.code).toBe(code);
  });
});

test.each(["SIGTERM", "SIGINT"] as const)("promise 23: %s stops in order", async (signal) => {
  const { child, lines, url } = await serve();
  expect((await fetch(url)).status).toBe(200);
  child.kill(signal);
  const after = (await Array.fromAsync(lines)).map(({ msg }) => msg);
  expect(after).toEqual(["stopping", "stopped"]);
  expect(await child.exited).toBe(0);
});

test("SIGHUP reads the settings again, and says so", async () => {
  const { child, lines, url } = await serve();
  child.kill("SIGHUP");
  expect((await lines.next()).value?.msg).toBe("settings reloaded");
  expect((await fetch(url)).status).toBe(200);
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
});

test("promise 23: a second signal stops at once", async () => {
  const { child, lines, url } = await serve();
  const never = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode("{")),
  });
  const headers = { "content-type": "application/json" };
  const hanging = fetch(`${url}models`, { method: "POST", body: never, headers });
  hanging.catch(() => {});
  await fetch(url);
  child.kill("SIGTERM");
  expect((await lines.next()).value?.msg).toBe("stopping");
  child.kill("SIGTERM");
  expect(await child.exited).toBe(143);
  await expect(hanging).rejects.toThrow();
});

test("promise 2: a second server on the same directory exits 1, naming it; the first goes on", async () => {
  const { child, url } = await serve();
  const second = await run("--listen", "127.0.0.1:0", "--data-dir", dir);
  expect(second.code).toBe(1);
  expect(second.err).toContain(dir);
  expect((await fetch(url)).status).toBe(200);
  child.kill("SIGKILL");
  await child.exited;
  // Nothing to clean up after a hard kill.
  const third = await serve();
  third.child.kill();
  expect(await third.child.exited).toBe(0);
});
