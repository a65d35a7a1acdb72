// Backups: what is unpacked is what was there, while others go on writing; one at a time; the key stays at home.
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBucket } from "../../src/buckets/index.ts";
import type { Bucket, Point } from "../../src/buckets/kind.ts";
import { pathOf } from "../../src/buckets/local/file.ts";
import { type Backup, createBackup } from "../../src/resources/backup.ts";
import { putBucket } from "../../src/store/buckets.ts";
import { ensureMeta } from "../../src/store/meta.ts";
import { openStore, type Store } from "../../src/store/open.ts";
import { codeOf } from "../store/temporary.ts";

const POINTS = 20_000;
const signal = new AbortController().signal;
let dir: string;
let store: Store;
let bucket: Bucket;
let backup: Backup;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "backup-"));
  const context = { dataDir: join(dir, "data") };
  store = openStore({ dir: context.dataDir });
  for (const name of ["points", "never-written"])
    await putBucket(store, { name, kind: "local", settings: { name, type: "local" } }, 1);
  bucket = openBucket({ name: "points", type: "local" }, context);
  await write(0, POINTS);
  writeFileSync(join(context.dataDir, "torus.key"), "secret");
  backup = createBackup({ store, context, clock: { now: () => 1000 } });
});
afterEach(() => {
  bucket.close();
  store.close();
  rmSync(dir, { recursive: true });
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

test("an archive has the size it says, and all but the key", async () => {
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

test("what is written while the archive is read breaks nothing in it", async () => {
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

test("one at a time; one that nobody reads to its end can be canceled", async () => {
  const { stream } = await backup.open();
  expect(await codeOf(backup.open())).toBe("overloaded");
  await stream.cancel();
  const next = await backup.open();
  await new Response(next.stream).bytes();
  const last = await backup.open();
  await last.stream.cancel();
});

test("the log is emptied again afterwards", async () => {
  await new Response((await backup.open()).stream).bytes();
  await ensureMeta(store, "later", () => "x");
  const { wal_autocheckpoint: pages } = store.sqlite.query("PRAGMA wal_autocheckpoint").get() as {
    wal_autocheckpoint: number;
  };
  expect(pages).toBe(1000);
});
