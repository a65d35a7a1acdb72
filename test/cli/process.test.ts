// Client commands as processes: exit codes, streams, closed pipes, Ctrl-C.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, type Job } from "../../src/cli/client/client.ts";
import { startTestServer, type TestServer } from "../contract/server.ts";
import { aModel } from "../support/builders.ts";
import { temporaryFolder } from "../support/folder.ts";

const MAIN = join(import.meta.dir, "../../src/main.ts");
const TEST_MS = 180_000;
setDefaultTimeout(TEST_MS);
const HOUR = 3600;

let server: TestServer;
let dir: string;
let client: ReturnType<typeof createClient>;

beforeAll(async () => {
  server = await startTestServer();
  dir = temporaryFolder();
  client = createClient({ baseUrl: server.url, sleep: (ms) => Bun.sleep(Math.min(ms, 20)) });
  await client.putBucket({ name: "points", type: "local" });
  const points = Array.from({ length: 2000 }, (_, i) => ({ timestamp: i * HOUR, x: Math.sin(i / 4) }));
  await client.waitForJob(await client.write("points", points));
  const features = [{ name: "x", metric: "avg", field: "x" }];
  await client.createModel(aModel({ default_bucket: "points", bucket_interval: "1h", features }));
});
afterAll(() => server.stop());

function spawn(args: readonly string[], stdin: "ignore" | Uint8Array = "ignore") {
  const env = { ...process.env, TORUS_ADDR: server.url, HOME: dir };
  return Bun.spawn([process.execPath, MAIN, ...args], { env, stdin, stdout: "pipe", stderr: "pipe" });
}

async function torus(args: readonly string[], stdin?: Uint8Array) {
  const child = spawn(args, stdin);
  const [code, out, err] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code, out, err };
}

describe("exit codes and streams", () => {
  const cases: [string, string[], number, RegExp, RegExp][] = [
    ["a list", ["list-models"], 0, /^NAME .*\nm +donut /, /^$/],
    ["JSON", ["list-models", "--json"], 0, /^\[\{"settings".*\}\]\n$/, /^$/],
    ["a remark", ["list-templates"], 0, /^$/, /^no templates yet/],
    ["no remark", ["list-templates", "-q"], 0, /^$/, /^$/],
    ["a missing model", ["show-model", "none"], 3, /^$/, /^torus: model none does not exist\n$/],
    [
      "wrong use",
      ["show-model"],
      2,
      /^$/,
      /^torus: MODEL: is missing\nusage: torus show-model MODEL\.\.\. \[options\]\n$/,
    ],
    ["a failed job", ["train-model", "m", "-f", "2020-01-01", "-t", "2020-02-01"], 1, /^$/, /no data found/],
  ];
  test.each(cases)("%s", async (_name, args, code, out, err) => {
    const ended = await torus(args);
    expect(ended.err).toMatch(err);
    expect(ended.out).toMatch(out);
    expect(ended.code).toBe(code);
  });

  test("standard input is read", async () => {
    const bytes = Bun.gzipSync(new TextEncoder().encode("time,y\n2026-01-01,2\n2026-01-02,4\n"));
    const { code, err } = await torus(["import-csv", "-", "--bucket", "piped"], bytes);
    expect([code, err]).toEqual([0, expect.stringContaining("wrote 2 points to piped: y")]);
  });

  test("a reader that is slow gets everything", async () => {
    const range = ["-f", "0", "-t", String(2000 * HOUR), "-i", "5m", "-F", "avg(x)"];
    // Bash reads byte by byte; the pipe is full long before it has read all.
    const count = "lines=0; while read -r line; do (( lines += 1 )); done; echo $lines";
    const command = ["bash", "-c", `set -o pipefail; "$@" | { ${count}; }`, "bash", process.execPath, MAIN];
    const child = Bun.spawn([...command, "read-bucket", "points", ...range, "-q"], {
      env: { ...process.env, TORUS_ADDR: server.url },
      stdout: "pipe",
      stderr: "inherit",
    });
    expect(await new Response(child.stdout).text()).toBe(`${(2000 * HOUR) / 300}\n`);
    expect(await child.exited).toBe(0);
  });

  test.skipIf(!existsSync("/dev/full"))("a disk that is full is a failure", async () => {
    const child = Bun.spawn(
      ["bash", "-c", '"$@" > /dev/full', "bash", process.execPath, MAIN, "list-models"],
      {
        env: { ...process.env, TORUS_ADDR: server.url },
        stderr: "pipe",
      },
    );
    expect(await new Response(child.stderr).text()).toBe("torus: the output cannot be written (ENOSPC)\n");
    expect(await child.exited).toBe(1);
  });

  test("a reader that stops early is no failure", async () => {
    const range = ["-f", "0", "-t", String(2000 * HOUR), "-i", "1m", "-F", "avg(x)"];
    const child = Bun.spawn(
      [
        "bash",
        "-c",
        'set -o pipefail; "$@" | head -n 1',
        "bash",
        process.execPath,
        MAIN,
        "read-bucket",
        "points",
        ...range,
      ],
      { env: { ...process.env, TORUS_ADDR: server.url }, stdout: "pipe", stderr: "pipe" },
    );
    expect(await new Response(child.stdout).text()).toMatch(/^TIME \(UTC\) +AVG_X\n$/);
    expect(await new Response(child.stderr).text()).not.toMatch(/EPIPE|Error/);
    expect(await child.exited).toBe(0);
  });
});

async function pollUntil<T>(look: () => Promise<T | undefined>): Promise<T> {
  const deadlineAt = performance.now() + TEST_MS / 2;
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (performance.now() > deadlineAt) throw new Error("the condition was not met in time");
    await Bun.sleep(20);
  }
}

const findTraining = (wanted: Job["state"], but: ReadonlySet<string>) => async () => {
  const jobs = await client.call<Job[]>("GET /jobs");
  return jobs.find(({ id, type, state }) => type === "training" && state === wanted && !but.has(id));
};

describe("Ctrl-C", () => {
  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)(
    "%s cancels the training on the server, exit code %p",
    async (signal, expected) => {
      const before = new Set((await client.call<Job[]>("GET /jobs")).map(({ id }) => id));
      const child = spawn(["train-model", "m", "-f", "0", "-t", String(1900 * HOUR), "-e", "100000"]);
      const { id } = await pollUntil(findTraining("running", before));
      child.kill(signal);
      expect(await child.exited).toBe(expected);
      expect(await new Response(child.stderr).text()).toContain(`torus: canceled job ${id}\n`);
      expect(await client.getJob(id)).toMatchObject({ state: "canceled" });
    },
    TEST_MS,
  );

  test("ends an import that waits for more, after what was written", async () => {
    const countWrites = async () =>
      (await client.call<Job[]>("GET /jobs")).filter(({ type }) => type === "write").length;
    const before = await countWrites();
    const child = Bun.spawn(
      [process.execPath, MAIN, "import-csv", "-", "--bucket", "half", "--batch-size", "1"],
      {
        env: { ...process.env, TORUS_ADDR: server.url },
        stdin: "pipe",
        stdout: "pipe",
        stderr: "pipe",
      },
    );
    // The columns are told from the first million characters; nothing is written before.
    child.stdin.write("time,y\n");
    for (let i = 0; i < 70_000; i++) child.stdin.write(`${1_700_000_000 + i},2.5\n`);
    await child.stdin.flush();
    // The second batch is sent once the import knows that the first is written.
    await pollUntil(async () => (await countWrites()) > before + 1 || undefined);
    child.kill("SIGINT");
    expect(await child.exited).toBe(130);
    expect(await new Response(child.stderr).text()).toMatch(/(?:point was|points were) written to half\n$/);
  });

  test("leaves nothing of a backup that was not complete", async () => {
    const first = new Uint8Array(1000);
    const started = Promise.withResolvers<void>();
    const slow = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: () => {
        started.resolve();
        return new Response(new ReadableStream({ start: (controller) => controller.enqueue(first) }));
      },
    });
    try {
      const target = join(dir, "backups");
      rmSync(target, { recursive: true, force: true });
      await Bun.write(join(target, "kept.tar"), "old");
      const child = spawn(["backup", join(target, "kept.tar"), "-A", `127.0.0.1:${slow.port}`]);
      await started.promise;
      await pollUntil(async () => (readdirSync(target).length > 1 ? true : undefined));
      child.kill("SIGINT");
      expect(await child.exited).toBe(130);
      expect(readdirSync(target)).toEqual(["kept.tar"]);
      expect(await Bun.file(join(target, "kept.tar")).text()).toBe("old");
    } finally {
      await slow.stop(true);
    }
  });
});

test("client commands load nothing of the server", async () => {
  const probe = join(dir, "probe.ts");
  writeFileSync(
    probe,
    `await import(${JSON.stringify(join(MAIN, "../cli/commands/index.ts"))});
const loaded = Object.keys(require.cache);
console.log(JSON.stringify(loaded.filter((path) => /elysia|onnxruntime|drizzle|typebox|services\\.ts/.test(path))));`,
  );
  const child = Bun.spawn([process.execPath, probe], { stdout: "pipe", stderr: "inherit" });
  expect(JSON.parse(await new Response(child.stdout).text())).toEqual([]);
});
