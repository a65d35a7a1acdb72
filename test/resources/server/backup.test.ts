// Backups: complete despite concurrent writes, one at a time, without the key.
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openBucket } from "../../../src/buckets/index.ts";
import type { Bucket } from "../../../src/buckets/kind.ts";
import type { Point } from "../../../src/core/series/query.ts";
import { type Backup, createBackup } from "../../../src/resources/server/backup.ts";
import { putBucket } from "../../../src/store/buckets.ts";
import { ensureMeta } from "../../../src/store/db/meta.ts";
import { openStore, type SqliteStore } from "../../../src/store/db/open.ts";
import { pathOf, removeFiles } from "../../../src/tsdb/file.ts";
import { codeOf } from "../../store/temporary.ts";
import { temporaryFolder } from "../../support/folder.ts";

const POINTS = 20_000;
const signal = new AbortController().signal;
let dir: string;
let context: { dataDir: string };
let store: SqliteStore;
let bucket: Bucket;
let backup: Backup;
const errors: unknown[] = [];

beforeEach(async () => {
  dir = temporaryFolder();
  context = { dataDir: join(dir, "data") };
  store = openStore({ dir: context.dataDir });
  for (const name of ["points", "never-written"])
    await putBucket(store, { name, kind: "local", settings: { name, type: "local" } }, 1);
  bucket = openBucket({ name: "points", type: "local" }, context);
  await write(0, POINTS);
  writeFileSync(join(context.dataDir, "torus.key"), "secret");
  backup = createBackup({
    store,
    context,
    clock: { now: () => 1000 },
    onError: (what, error) => errors.push([what, error]),
  });
});
afterEach(() => {
  bucket.close();
  store.close();
});

function write(from: number, to: number): Promise<void> {
  const points = Array.from({ length: to - from }, (_, i): Point => {
    const at = (from + i) * 1000;
    return { at, fields: { x: Math.sin(at) }, tags: {} };
  });
  return bucket.write!(points, {}, signal);
}

/** Unpacks with the system's tar. @returns the folder */
async function unpack(stream: ReadableStream<Uint8Array>): Promise<string> {
  const target = join(dir, "restored");
  mkdirSync(target);
  const child = Bun.spawn(["tar", "-x", "-C", target], { stdin: stream, stderr: "pipe" });
  expect(await new Response(child.stderr).text()).toBe("");
  expect(await child.exited).toBe(0);
  return target;
}

async function countPoints(dataDir: string): Promise<number> {
  const copy = openBucket({ name: "points", type: "local" }, { dataDir });
  const features = [{ name: "n", metric: "count", field: "x", tags: [] }];
  const range = { fromAt: 0, toAt: 4 * POINTS * 1000 };
  const grid = await copy.read({ range, intervalMs: range.toAt, features }, signal);
  copy.close();
  return grid.columns.n![0]!;
}

const integrityOf = (path: string) => {
  const db = new Database(path);
  const row = db.query("PRAGMA integrity_check").get() as { integrity_check: string };
  db.close();
  return row.integrity_check;
};

test("an archive has the reported size, and all files but the key", async () => {
  const { size, stream } = await backup.open();
  const bytes = await new Response(stream).bytes();
  expect(bytes.length).toBe(size);
  const restored = await unpack(new Blob([bytes]).stream());
  expect(existsSync(join(restored, "torus.key"))).toBe(false);
  expect(await countPoints(restored)).toBe(POINTS);
  const copy = openStore({ dir: restored });
  expect(await ensureMeta(copy, "host_id", () => "fresh")).toBe("fresh");
  expect(copy.sqlite.query("select name from buckets order by name").values()).toEqual([
    ["never-written"],
    ["points"],
  ]);
  copy.close();
});

test("writes during the read of an archive do not break it", async () => {
  const { stream } = await backup.open();
  let round = 0;
  const slow = stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      async transform(chunk, controller) {
        if (++round % 4 === 0 && round < 80) {
          await write(POINTS + round * 100, POINTS + round * 100 + 400);
          await ensureMeta(store, `key${round}`, () => "x".repeat(50_000));
        }
        controller.enqueue(chunk);
      },
    }),
  );
  const restored = await unpack(slow);
  expect(round).toBeGreaterThan(4);
  expect(integrityOf(join(restored, "torus.db"))).toBe("ok");
  expect(integrityOf(pathOf("points", restored))).toBe("ok");
  expect(await countPoints(restored)).toBeGreaterThanOrEqual(POINTS);
});

/** Reads the archive and runs `meanwhile` at each of the places, as with a client whose connection stalls. */
async function readStalling(
  stream: ReadableStream<Uint8Array>,
  places: readonly number[],
  meanwhile: () => Promise<void>,
): Promise<Blob> {
  const parts: Uint8Array[] = [];
  let taken = 0;
  for await (const part of stream) {
    parts.push(part);
    const before = taken;
    taken += part.length;
    for (const place of places) if (before < place && taken >= place) await meanwhile();
  }
  return new Blob(parts as Uint8Array<ArrayBuffer>[]);
}

const SERIES = 300;
let round = 0;

/** Points of 300 series: rewrites the last block of each. */
async function writeRound(): Promise<void> {
  const at = ++round * 1000;
  const points = Array.from({ length: SERIES }, (_, i): Point => {
    return { at, fields: { x: round }, tags: { series: String(i) } };
  });
  await bucket.write!(points, {}, signal);
  // Moves them from the journal into blocks.
  await bucket.probe!(signal);
}

/** One transaction that gives all rows of the state the same new value, and makes it longer. */
async function stamp(): Promise<void> {
  await ensureMeta(store, `row${++round}`, () => "");
  store.sqlite.query("update meta set value = ?").run(`${round} ${"x".repeat(20_000)}`);
}

const sizeOf = (path: string) => (existsSync(path) ? statSync(path).size : 0);

describe("a client that stalls while others write", () => {
  test.each([
    ["its main file", 0.5, 0],
    ["its log", 1, 600_000],
  ])("within %s of a bucket: all acknowledged before is in the archive, and it is whole", async (_, part, more) => {
    const path = pathOf("points", context.dataDir);
    for (let i = 0; i < 20; i++) await writeRound();
    // All of the log is in the main file now: the next write starts the log over unless a reader needs it.
    const db = new Database(path);
    const row = db.query("PRAGMA wal_checkpoint(PASSIVE)").get() as { log: number; checkpointed: number };
    expect(row).toMatchObject({ busy: 0, checkpointed: row.log });
    db.close();
    expect(sizeOf(`${path}-wal`)).toBeGreaterThan(1_000_000);

    const main = sizeOf(path);
    const { stream } = await backup.open();
    const archive = await readStalling(stream, [main * part + more], async () => {
      for (let i = 0; i < 60; i++) await writeRound();
    });
    const restored = await unpack(archive.stream());
    expect(integrityOf(pathOf("points", restored))).toBe("ok");
    expect(await countPoints(restored)).toBeGreaterThanOrEqual(POINTS + 20 * SERIES);
  });

  test("within a bucket whose log a reader needs: the same", async () => {
    const path = pathOf("points", context.dataDir);
    const reader = new Database(path);
    reader.run("BEGIN");
    reader.query("SELECT count(*) FROM blocks").get();
    for (let i = 0; i < 20; i++) await writeRound();
    const { stream } = await backup.open();
    reader.close();
    const archive = await readStalling(stream, [sizeOf(path) / 2, sizeOf(path) + 600_000], async () => {
      for (let i = 0; i < 30; i++) await writeRound();
    });
    const restored = await unpack(archive.stream());
    expect(existsSync(`${pathOf("points", restored)}-wal`)).toBe(true);
    expect(integrityOf(pathOf("points", restored))).toBe("ok");
    expect(await countPoints(restored)).toBeGreaterThanOrEqual(POINTS + 20 * SERIES);
  });

  test.each([
    ["main file", 0.5],
    ["log", 0],
  ])("within the %s of the state: no transaction is torn, the last one before is there", async (_, part) => {
    for (let i = 0; i < 40; i++) await stamp();
    store.sqlite.run("PRAGMA wal_checkpoint(PASSIVE)");
    const newest = round;
    const state = join(context.dataDir, "torus.db");
    const { stream, size } = await backup.open();
    // The state comes last; where its log is part of the archive it is behind the main file.
    const place = part === 0 ? size - 600_000 : size - sizeOf(state) * part;
    const archive = await readStalling(stream, [place], async () => {
      for (let i = 0; i < 20; i++) await stamp();
    });
    const restored = await unpack(archive.stream());
    expect(integrityOf(join(restored, "torus.db"))).toBe("ok");
    const copy = openStore({ dir: restored });
    const rows = copy.sqlite.query("select distinct cast(value as integer) as round from meta").all();
    copy.close();
    expect(rows).toEqual([{ round: newest }]);
  });

  test("a bucket that is deleted meanwhile is in the archive", async () => {
    const { stream } = await backup.open();
    const archive = await readStalling(stream, [1], async () => {
      bucket.close();
      removeFiles(pathOf("points", context.dataDir));
    });
    expect(await countPoints(await unpack(archive.stream()))).toBe(POINTS);
  });
});

test("promise 2: after a backup the directory is still locked against a second server", async () => {
  await new Response((await backup.open()).stream).bytes();
  const code = `import { openStore } from ${JSON.stringify(join(import.meta.dir, "../../../src/store/db/open.ts"))};
    openStore({ dir: process.argv[1] });`;
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, "-e", code, context.dataDir]);
  expect([exitCode, stderr.toString()]).toEqual([1, expect.stringContaining("is in use by another server")]);
});

test("one at a time; an archive that is not read to its end can be canceled", async () => {
  const { stream } = await backup.open();
  expect(await codeOf(backup.open())).toBe("overloaded");
  await stream.cancel();
  const next = await backup.open();
  await new Response(next.stream).bytes();
  const last = await backup.open();
  await last.stream.cancel();
});

test("an archive is whole where the log cannot be emptied afterwards, and the next backup is taken", async () => {
  errors.length = 0;
  const { size, stream } = await backup.open();
  const { run } = store.sqlite;
  store.sqlite.run = (sql: string) => {
    if (sql.includes("TRUNCATE")) throw new Error("the disk is full");
    return run.call(store.sqlite, sql);
  };
  expect((await new Response(stream).bytes()).length).toBe(size);
  expect(errors).toEqual([["log not emptied after a backup", new Error("the disk is full")]]);
  store.sqlite.run = run;
  await (await backup.open()).stream.cancel();
});

test("the log is emptied again afterwards", async () => {
  await new Response((await backup.open()).stream).bytes();
  await ensureMeta(store, "later", () => "x");
  const { wal_autocheckpoint: pages } = store.sqlite.query("PRAGMA wal_autocheckpoint").get() as {
    wal_autocheckpoint: number;
  };
  expect(pages).toBe(1000);
});
