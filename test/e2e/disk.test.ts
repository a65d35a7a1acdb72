// Promise 4, on a real process: its data directory is a small disk that somebody fills, and makes room on again.
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { temporaryFolder } from "../support/folder.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";

setDefaultTimeout(180_000);

/** More writes than fit into what the files there are may still take in. */
const MOST_WRITES = 3000;
const ROWS = 2000;

const dataDir = temporaryFolder();
/** A disk of its own for the command that follows; it is gone with it. */
const smallDisk = [
  ...["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"],
  ...[`mount -t tmpfs -o size=16m tmpfs '${dataDir}' && exec "$@"`, "sh"],
];
let server: ServerProcess;
afterAll(() => server?.kill());

const reason = whyNoDisk();
if (reason) console.warn(`promise 4, on a small disk: skipped, ${reason}`);

function whyNoDisk(): string | undefined {
  if (!Bun.which("unshare")) return "there is no unshare here";
  const { exitCode, stderr } = Bun.spawnSync([...smallDisk, "true"]);
  return exitCode === 0 ? undefined : `no disk can be mounted here: ${stderr.toString().trim()}`;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function ask(line: string, body?: object | string): Promise<Answer> {
  const [method = "", path] = line.split(" ");
  const isText = typeof body === "string";
  const response = await fetch(`${server.url}${path}`, {
    method,
    ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    headers: { "content-type": isText ? "text/plain" : "application/json" },
  });
  const text = await response.text();
  return { status: response.status, body: text ? JSON.parse(text) : undefined };
}

const features = [{ name: "x", metric: "avg", field: "x" }];
const addModel = (name: string) =>
  ask("POST /models", { name, type: "donut", bucket_interval: "1m", features });
const addPoints = (from: number, count: number) => {
  const lines = Array.from({ length: count }, (_, i) => `p x=${Math.sin(from + i)} ${from + i}`);
  return ask("POST /write?db=b&precision=s", lines.join("\n"));
};

async function countPoints(): Promise<number> {
  const range = `from=0&to=${2 * ROWS}&bucket_interval=${2 * ROWS}`;
  const { body: id } = await ask(`POST /buckets/b/_read?${range}&features=count(p.x)`);
  for (;;) {
    const [job] = (await ask(`GET /jobs/${id}`)).body as { state: string; result: unknown }[];
    if (job!.state === "done")
      return Object.values((job!.result as { observed: Record<string, number[]> }).observed)[0]![0]!;
    if (job!.state === "failed") throw new Error(JSON.stringify(job));
  }
}

/** Leaves not a byte. @returns how to make room again */
function fillDisk(): () => void {
  // The mount is the process's own; this is the way to it.
  const filler = `/proc/${server.pid}/root${dataDir}/filler`;
  const file = openSync(filler, "w");
  for (const size of [1 << 18, 1 << 12, 1]) {
    try {
      while (writeSync(file, new Uint8Array(size)) > 0);
    } catch (error) {
      if ((error as { code?: string }).code !== "ENOSPC") throw error;
    }
  }
  closeSync(file);
  return () => rmSync(filler);
}

/** Writes until one is refused. @returns how many were taken, and the refusal */
async function writeUntilRefused(write: (n: number) => Promise<Answer>): Promise<[number, Answer]> {
  for (let n = 0; n < MOST_WRITES; n++) {
    const answer = await write(n);
    if (answer.status >= 300) return [n, answer];
  }
  throw new Error("the disk was not full");
}

const full = { status: 507, body: { error: expect.stringContaining("the disk is full") } };

test.skipIf(reason !== undefined)(
  "promise 4: on a full disk writes are 507 and reads go on; once there is room all goes on without a restart",
  async () => {
    server = await startServer({ dataDir, prefix: smallDisk });
    await ask("POST /buckets", { name: "b", type: "local" });
    expect(await addPoints(0, ROWS)).toMatchObject({ status: 204 });
    expect(await addModel("first")).toMatchObject({ status: 201 });

    const makeRoom = fillDisk();
    const [models, refusedModel] = await writeUntilRefused((n) => addModel(`m${n}`));
    const [points, refusedPoints] = await writeUntilRefused((n) => addPoints(ROWS + n, 1));
    expect(refusedModel).toMatchObject({ ...full, body: { code: "storage_full" } });
    expect(refusedPoints).toMatchObject(full);
    expect(await ask("PATCH /models/first", { max_threshold: 70 })).toMatchObject(full);
    // What makes room within a file needs some beside it first.
    for (const line of ["DELETE /models/first", "POST /buckets/b/_clear", "DELETE /buckets/b"])
      expect(await ask(line)).toMatchObject(full);
    expect((await ask("GET /models")).body).toHaveLength(1 + models);
    for (const line of ["GET /models/first", "GET /buckets/b", "GET /jobs", "GET /livez"])
      expect([line, (await ask(line)).status]).toEqual([line, 200]);
    expect(await ask("GET /readyz")).toMatchObject({ ...full, status: 503 });

    const archive = await fetch(`${server.url}/_backup`);
    const bytes = await archive.bytes();
    expect([archive.status, bytes.length > 100_000, bytes.length % 512]).toEqual([200, true, 0]);
    expect(bytes.subarray(-1024).every((byte) => byte === 0)).toBe(true);
    expect((await fetch(`${server.url}/_backup`, { method: "HEAD" })).status).toBe(200);

    makeRoom();
    expect(await addModel("later")).toMatchObject({ status: 201 });
    expect(await addPoints(ROWS + points, 1)).toMatchObject({ status: 204 });
    expect((await ask("GET /models")).body).toHaveLength(2 + models);
    expect(await countPoints()).toBe(ROWS + points + 1);
    while ((await ask("GET /readyz")).status !== 200) await Bun.sleep(50);
    expect(await ask("DELETE /models/first")).toMatchObject({ status: 204 });
    expect(await ask("POST /buckets/b/_clear")).toMatchObject({ status: 204 });
    expect(await server.stop()).toBe(0);
  },
);
