// Crashes between any two statements of writes, flushes and clears: what was acknowledged is there, and nothing else.
import { afterAll, expect, test } from "bun:test";
import { readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { listJournals } from "../../../src/tsdb/head/journal.ts";
import { checkFile, openBucketFile } from "../../../src/tsdb/index.ts";
import { createRandom } from "../../../wasm/random.ts";
import { wireStatements } from "../../crash/statements.ts";
import { temporaryFolder } from "../../support/folder.ts";
import {
  copyFiles,
  createSender,
  type Expected,
  expectPoints,
  listOf,
  readAll,
  smallLimits,
  target,
} from "./world.ts";

interface Crash {
  /** Copy of the files. */
  readonly path: string;
  /** What was acknowledged, and what it would be with the work that is under way. */
  readonly before: Expected;
  readonly after: Expected;
  /** Bytes of the last journal that an fsync had not confirmed. */
  readonly unsynced: number;
}

let onStatement = () => {};
wireStatements(() => onStatement());
afterAll(() => {
  onStatement = () => {};
});

const cloneOf = (expected: Expected): Expected =>
  new Map([...expected].map(([field, values]) => [field, new Map(values)]));
const bytesOf = (path: string) => listJournals(path).map((journal) => readFileSync(journal.path).length);

/** Runs writes, flushes and a clear. @returns what a crash at each statement, and in each wait for the disk, leaves */
async function collectCrashes(seed: number): Promise<Crash[]> {
  const path = join(temporaryFolder(), "b.db");
  const crashes: Crash[] = [];
  const file = openBucketFile(path, { headLimits: smallLimits });
  const sender = createSender(seed);
  let expected: Expected = new Map();
  const doWork = async (after: Expected, work: () => Promise<unknown>) => {
    const before = cloneOf(expected);
    const synced = bytesOf(path).at(-1) ?? 0;
    const note = () => {
      const unsynced = Math.max(0, (bytesOf(path).at(-1) ?? 0) - synced);
      crashes.push({ path: copyFiles(path, temporaryFolder()), before, after, unsynced });
    };
    onStatement = note;
    const working = work();
    note();
    await working;
    onStatement = () => {};
    expected = after;
  };
  for (let round = 0; round < 14; round++) {
    const points = sender.next();
    const after = cloneOf(expected);
    expectPoints(after, points);
    await doWork(after, () => file.write(points, target));
    if (round === 5) await doWork(cloneOf(expected), () => file.settle());
    if (round === 9) await doWork(new Map(), async () => file.clear());
  }
  await doWork(cloneOf(expected), async () => file.close());
  return crashes;
}

async function readCopy(path: string): Promise<unknown> {
  const file = openBucketFile(path, { headLimits: smallLimits });
  try {
    const found = await readAll(file);
    await file.settle();
    expect(await readAll(file)).toEqual(found);
    return found;
  } finally {
    file.close();
  }
}

test("promise 1: killed between any two statements of writes, flushes and a clear, a bucket has what was acknowledged", async () => {
  let partial = 0;
  const crashes = await collectCrashes(3);
  expect(crashes.length).toBeGreaterThan(100);
  for (const { path, before, after } of crashes) {
    expect(checkFile(path).damage.filter((text) => text !== "the file is empty")).toEqual([]);
    const found = await readCopy(path);
    if (Bun.deepEquals(found, listOf(before))) continue;
    expect(found).toEqual(listOf(after));
    partial++;
  }
  // Some are killed after the work was done, and before it was acknowledged.
  expect(partial).toBeGreaterThan(0);
}, 120_000);

test("promise 1: a power loss that cuts off what no fsync has confirmed takes nothing that was acknowledged", async () => {
  const { below } = createRandom(7);
  for (const { path, before, after, unsynced } of await collectCrashes(4)) {
    const journal = listJournals(path).at(-1)?.path;
    if (journal && unsynced > 0) truncateSync(journal, readFileSync(journal).length - below(unsynced + 1));
    expect(checkFile(path).damage.filter((text) => text !== "the file is empty")).toEqual([]);
    const found = await readCopy(path);
    if (!Bun.deepEquals(found, listOf(before))) expect(found).toEqual(listOf(after));
  }
}, 120_000);
