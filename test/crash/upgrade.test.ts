// Promise 5, on a real process: killed at every third statement of a migration, the database is old or new.
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { migrations, newestStamp, readSchemaStamp } from "../../src/store/db/migrations.ts";
import { FILE, openStore } from "../../src/store/db/open.ts";
import { temporaryFolder } from "../support/folder.ts";
import { startServer } from "../support/server-process.ts";

const STRIDE = 3;
const ROWS = 500;
const oldStamp = migrations[0]!.folderMillis;

const folder = temporaryFolder();

/** A data directory of the first version of the schema, with something in it. */
function makeOld(): string {
  const dir = join(folder, "old");
  const store = openStore({ dir, migrations: migrations.slice(0, 1) });
  const insert = store.sqlite.prepare("insert into meta (key, value) values (?, ?)");
  for (let i = 0; i < ROWS; i++) insert.run(`key-${i}`, "x".repeat(100));
  store.close();
  return dir;
}

/** @returns how many statements there were, or undefined where it was killed */
async function upgrade(dir: string, killAt: number): Promise<number | undefined> {
  const command = [process.execPath, join(import.meta.dir, "upgrade.ts"), dir, String(killAt)];
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "pipe" });
  const [text, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  await child.exited;
  if (child.signalCode === "SIGKILL") return undefined;
  if (child.exitCode !== 0) throw new Error(`the upgrade failed by itself: ${errors}`);
  return Number(text);
}

/** What is there, looked at without the server's code. */
function look(dir: string) {
  const sqlite = new Database(join(dir, FILE));
  const [check] = Object.values(sqlite.query("PRAGMA quick_check").get() as object);
  const { n } = sqlite.query("select count(*) as n from meta where key like 'key-%'").get() as { n: number };
  const schema = JSON.stringify(
    sqlite.query("select type, name, sql from sqlite_master order by name").all(),
  );
  const stamp = readSchemaStamp(sqlite);
  sqlite.close();
  return { check, rows: n, stamp, schema };
}

test("promise 5: killed here and there in a migration, the database is whole, old or new, and the next start is fine", async () => {
  const old = makeOld();
  const copyOld = (name: string) => {
    const dir = join(folder, name);
    cpSync(old, dir, { recursive: true });
    return dir;
  };
  const before = look(old);
  const whole = copyOld("whole");
  const statements = (await upgrade(whole, 0))!;
  const after = look(whole);
  expect([before.stamp, after.stamp]).toEqual([oldStamp, newestStamp]);
  let lastOld = 0;
  let firstNew = 0;
  for (let killAt = 1; killAt <= statements; killAt += STRIDE) {
    const dir = copyOld(`${killAt}`);
    expect(await upgrade(dir, killAt)).toBeUndefined();
    const left = look(dir);
    expect([killAt, left]).toEqual([killAt, left.stamp === oldStamp ? before : after]);
    if (left.stamp === oldStamp) lastOld = killAt;
    else firstNew ||= killAt;
    openStore({ dir }).close();
    expect(look(dir)).toEqual(after);
  }
  expect(lastOld).toBeGreaterThan(0);
  expect(firstNew).toBe(lastOld + STRIDE);
  await expectServed(copyOld("served"), lastOld);
  // A process starts for every place of a kill.
}, 180_000);

/** Killed at the last place that was not too late; then a whole server starts. */
async function expectServed(dir: string, killAt: number): Promise<void> {
  await upgrade(dir, killAt);
  expect(look(dir).stamp).toBe(oldStamp);
  const server = await startServer({ dataDir: dir });
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(await server.stop()).toBe(0);
  expect(look(dir).stamp).toBe(newestStamp);
}
