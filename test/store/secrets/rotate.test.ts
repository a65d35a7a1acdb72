// Key rotation: no plain secret in any file before, during or after an upgrade; a wrong key is refused.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkScheduledJob } from "../../../src/core/time/scheduled-job.ts";
import { listDue } from "../../../src/store/anomalies/due-deliveries.ts";
import { enqueueEvent, enqueueTest } from "../../../src/store/anomalies/outbox.ts";
import { removeModels } from "../../../src/store/bin/models.ts";
import { restoreFromBin } from "../../../src/store/bin/restore.ts";
import { loadBucket, patchBuckets, putBucket, removeBuckets } from "../../../src/store/buckets.ts";
import { openStore, type SqliteStore } from "../../../src/store/db/open.ts";
import { write } from "../../../src/store/db/transaction.ts";
import { listHooks, loadHook, putHook } from "../../../src/store/hooks.ts";
import { createModel } from "../../../src/store/models.ts";
import {
  loadScheduledJob,
  patchScheduledJobs,
  putScheduledJob,
  removeScheduledJobs,
} from "../../../src/store/scheduled-jobs.ts";
import type { Sealing } from "../../../src/store/secrets/rotate.ts";
import { aBucket, aModel } from "../../support/builders.ts";
import { codeOf, makeDir } from "../temporary.ts";

const MARKER = "m4rk3r-S3cret";
const keyText = (fill: number) => Buffer.alloc(32, fill).toString("base64");

let dir: string;
let remove: () => void;
const opened: SqliteStore[] = [];

beforeEach(() => {
  ({ dir, remove } = makeDir());
});
afterEach(() => {
  for (const store of opened.splice(0)) store.close();
  remove();
});

const secretsOf: Sealing["secretsOf"] = (table) =>
  table === "buckets" ? ["password"] : table === "hooks" ? ["secret", "headers"] : [];

function open(options: Partial<Sealing> = {}): SqliteStore {
  const store = openStore({ dir, sealing: { secretsOf, ...options } });
  opened.push(store);
  return store;
}

function openPlain(): SqliteStore {
  const store = openStore({ dir });
  opened.push(store);
  return store;
}

function close(store: SqliteStore): void {
  opened.splice(opened.indexOf(store), 1);
  store.close();
}

const bucket = aBucket({
  type: "influxdb",
  password: MARKER,
  addr: `http://ada:${MARKER}@h`,
  measurement: "m",
});
const hook = { secret: MARKER, headers: { authorization: MARKER }, url: "https://example.org" };
const event = { id: "e:start", kind: "anomaly_start", model: "m", episode: "e" } as never;
const job = checkScheduledJob({
  name: "j",
  method: "post",
  relative_url: "/buckets",
  json: { name: "b", password: MARKER },
  params: { token: MARKER, from: "now" },
  every: { unit: "day" },
});

/** Secrets in every place there is for one. */
async function fill(store: SqliteStore): Promise<void> {
  await putBucket(store, { name: "b", kind: "influxdb", settings: bucket }, 1);
  await patchBuckets(store, ["b"], { at: 2, change: ({ settings }) => ({ ...settings, database: "d" }) });
  await createModel(store, { name: "m", settings: aModel({ name: "m" }) }, 1);
  for (const at of [1, 2])
    await putHook(
      store,
      { model: "m", name: "h" },
      { at, change: (old) => old ?? { kind: "webhook", config: hook } },
    );
  await write(store, (tx) => void enqueueEvent(tx, event, { at: 5 }));
  await enqueueTest(
    store,
    { model: "m", name: "h" },
    { events: [{ ...(event as object), id: "t" } as never], at: 6 },
  );
  await putScheduledJob(store, { definition: job, origin: "api", at: 1 });
  await patchScheduledJobs(store, ["j"], { at: 2, change: (old) => ({ ...old, method: "patch" }) });
}

async function expectKept(store: SqliteStore): Promise<void> {
  expect((await loadBucket(store, "b")).settings).toEqual({ ...bucket, database: "d" });
  expect((await loadHook(store, { model: "m", name: "h" })).config).toEqual(hook);
  expect((await listHooks(store, "m"))[0]!.config).toEqual(hook);
  expect((await listDue(store, { at: 10, limit: 9, retries: false }))[0]!.config).toEqual(hook);
  expect((await loadScheduledJob(store, "j")).definition).toEqual({ ...job, method: "patch" });
}

/** Files of the directory in which a text stands. */
function filesWith(text: string): string[] {
  return readdirSync(dir).filter((name) => readFileSync(join(dir, name)).includes(text));
}

test("no file holds a secret, neither while the server runs nor after it; all come back", async () => {
  const store = open();
  await fill(store);
  expect(readdirSync(dir)).toContain("torus.db-wal");
  expect(filesWith(MARKER)).toEqual([]);
  expect(filesWith("sealed:1:").length).toBeGreaterThan(0);
  await expectKept(store);
  close(store);
  expect(filesWith(MARKER)).toEqual([]);
  await expectKept(open());
});

test("the key is made once, for the owner alone", () => {
  close(open());
  const path = join(dir, "torus.key");
  const first = readFileSync(path, "utf8");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(Buffer.from(first, "base64")).toHaveLength(32);
  close(open());
  expect(readFileSync(path, "utf8")).toBe(first);
  expect(readdirSync(dir).sort()).toEqual(["torus.db", "torus.key"]);
});

describe("an upgrade", () => {
  test("seals what lies open, leaves no trace of it, and names the copies that do", async () => {
    const before = openPlain();
    await fill(before);
    close(before);
    expect(filesWith(MARKER)).toEqual(["torus.db"]);
    writeFileSync(join(dir, "torus.db.before-5"), MARKER);
    const sealedCopies: (readonly string[])[] = [];
    const store = open({ onSealed: (copies) => sealedCopies.push(copies) });
    expect(sealedCopies).toEqual([["torus.db.before-5"]]);
    expect(filesWith(MARKER)).toEqual(["torus.db.before-5"]);
    await expectKept(store);
    close(store);
    close(open({ onSealed: (copies) => sealedCopies.push(copies) }));
    expect(sealedCopies).toHaveLength(1);
  });

  test("that dies on the way changes nothing, or is finished by the next start", async () => {
    const before = openPlain();
    await fill(before);
    before.sqlite.run(
      "create trigger broken before update on scheduled_jobs begin select raise(abort, 'broken on purpose'); end",
    );
    close(before);
    expect(() => open()).toThrow(/broken on purpose/);
    const repaired = openPlain();
    repaired.sqlite.run("drop trigger broken");
    await expectKept(repaired);
    close(repaired);
    await expectKept(open());
    expect(filesWith(MARKER)).toEqual([]);
  });

  test("also seals what a later version calls secret", async () => {
    const store = open({ secretsOf: () => [] });
    await putBucket(store, { name: "b", kind: "x", settings: aBucket({ custom: MARKER }) }, 1);
    close(store);
    expect(filesWith(MARKER)).toEqual(["torus.db"]);
    const later = open({ secretsOf: () => ["custom"] });
    expect(filesWith(MARKER)).toEqual([]);
    expect((await loadBucket(later, "b")).settings).toEqual(aBucket({ custom: MARKER }));
  });
});

describe("the key", () => {
  const key = Buffer.alloc(32, 1);

  test("may come from the environment or a file, and then none is made", async () => {
    const store = open({ key });
    await fill(store);
    close(store);
    expect(readdirSync(dir)).not.toContain("torus.key");
    const file = join(dir, "own.key");
    writeFileSync(file, keyText(1));
    await expectKept(open({ file }));
  });

  test("that is another one is refused, and changes nothing", async () => {
    const store = open({ key });
    await fill(store);
    close(store);
    const bytes = readFileSync(join(dir, "torus.db"));
    expect(() => open({ key: Buffer.alloc(32, 2) })).toThrow(
      /sealed with the key [0-9a-f]{8}, and TORUS_KEY holds another one \([0-9a-f]{8}\): put that key back/,
    );
    expect(readFileSync(join(dir, "torus.db")).equals(bytes)).toBe(true);
    await expectKept(open({ key }));
  });

  test("that is missing is not replaced by a new one", async () => {
    const store = open();
    await fill(store);
    close(store);
    renameSync(join(dir, "torus.key"), join(dir, "elsewhere"));
    expect(() => open()).toThrow(/torus\.key is missing: put that key back/);
    expect(readdirSync(dir)).not.toContain("torus.key");
    renameSync(join(dir, "elsewhere"), join(dir, "torus.key"));
    await expectKept(open());
  });

  test("that was lost costs nothing where nothing is sealed", async () => {
    close(open());
    rmSync(join(dir, "torus.key"));
    await fill(open());
    expect(readdirSync(dir)).toContain("torus.key");
  });

  test("is changed for what is in the bin, too, which comes back under its name or another", async () => {
    const store = open();
    await fill(store);
    const deletion = { at: 3 };
    const [removed] = await removeBuckets(store, ["b"], deletion);
    const binned = [
      removed!.binned!,
      ...(await removeModels(store, ["m"], 3, { deletion })).binned,
      ...(await removeScheduledJobs(store, ["j"], deletion)),
    ];
    close(store);
    expect(filesWith(MARKER)).toEqual([]);
    const previousFile = join(dir, "old.key");
    renameSync(join(dir, "torus.key"), previousFile);
    close(open({ previousFile }));
    rmSync(previousFile);
    const changed = open();
    const options = {
      at: 4,
      sinceAt: 0,
      kindsWithFiles: [],
      startState: () => ({ run: "r" }),
      placeFile: () => {},
    };
    const copy = readFileSync(join(dir, "torus.db"));
    await restoreFromBin(changed, binned, options);
    await expectKept(changed);
    close(changed);
    writeFileSync(join(dir, "torus.db"), copy);
    const again = open();
    for (const id of binned) await restoreFromBin(again, [id], { ...options, name: "x" });
    expect((await loadBucket(again, "x")).settings).toEqual({ ...bucket, database: "d", name: "x" });
    expect((await loadHook(again, { model: "x", name: "h" })).config).toEqual(hook);
    expect((await loadScheduledJob(again, "x")).definition).toEqual({ ...job, method: "patch", name: "x" });
    expect(filesWith(MARKER)).toEqual([]);
  });

  test("is changed by naming the one before it", async () => {
    const store = open();
    await fill(store);
    close(store);
    const previousFile = join(dir, "old.key");
    renameSync(join(dir, "torus.key"), previousFile);
    expect(() => open({ previousFile, key: undefined, file: previousFile })).not.toThrow();
    for (const one of opened.splice(0)) one.close();
    const old = sealedTexts();
    const changed = open({ previousFile });
    await expectKept(changed);
    close(changed);
    expect(sealedTexts()).not.toEqual(old);
    rmSync(previousFile);
    await expectKept(open());
  });

  test("before it must be the right one", async () => {
    const store = open({ key });
    await fill(store);
    close(store);
    const previousFile = join(dir, "old.key");
    writeFileSync(previousFile, keyText(3));
    expect(() => open({ key: Buffer.alloc(32, 2), previousFile })).toThrow(/put that key back/);
    await expectKept(open({ key }));
  });

  test.each([
    ["is not there", undefined, /does not exist: put it there, or make a new one with openssl/],
    ["is too short", "abc", /must hold 32 bytes in base64 or hexadecimal/],
    ["is empty", "", /must hold 32 bytes/],
  ])("in a file that %s is refused, without being shown", (_name, text, message) => {
    const file = join(dir, "own.key");
    if (text !== undefined) writeFileSync(file, text);
    expect(() => open({ file })).toThrow(message);
  });
});

test("a sealed value that was moved to another row is not used; the row can be replaced", async () => {
  const store = open();
  await fill(store);
  await putBucket(store, { name: "c", kind: "influxdb", settings: aBucket({ password: "other" }) }, 1);
  const settingsOf = (name: string) =>
    (store.sqlite.query("select settings from buckets where name = ?").get(name) as { settings: string })
      .settings;
  const stolen = JSON.parse(settingsOf("b")) as { password: string };
  store.sqlite
    .query("update buckets set settings = ? where name = 'c'")
    .run(JSON.stringify({ password: stolen.password }));
  expect(await codeOf(loadBucket(store, "c"))).toContain("buckets/c, field password");
  await putBucket(store, { name: "c", kind: "influxdb", settings: aBucket({ password: "new" }) }, 2);
  expect((await loadBucket(store, "c")).settings).toEqual(aBucket({ password: "new" }));
});

function sealedTexts(): string[] {
  const text = readFileSync(join(dir, "torus.db"), "latin1");
  return [...new Set(text.match(/sealed:1:[0-9a-f]{8}:[A-Za-z0-9+/=]+/g) ?? [])].sort();
}
