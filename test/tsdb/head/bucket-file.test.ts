// Head of a bucket's file: reads see its points among those of the blocks, before, during and after a flush, and after a crash.
import { describe, expect, test } from "bun:test";
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listJournals } from "../../../src/tsdb/head/journal.ts";
import { checkFile, openBucketFile } from "../../../src/tsdb/index.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { roundsOf } from "../../support/rounds.ts";
import { copyFiles, createSender, expectPoints, listOf, readAll, smallLimits, target } from "./world.ts";

const newPath = () => join(temporaryFolder(), "b.db");
const openSmall = (path: string) => openBucketFile(path, { headLimits: smallLimits });
const pointAt = (at: number, v = at) => ({ at, fields: { v }, tags: {} });

test("any writes are read as they were sent, whatever of them is in blocks, and by whoever opens the file later", async () => {
  for (let seed = 1; seed <= roundsOf(8); seed++) {
    const path = newPath();
    let file = openSmall(path);
    const sender = createSender(seed);
    const expected = new Map();
    for (let round = 0; round < 60; round++) {
      const points = sender.next();
      await file.write(points, target);
      expectPoints(expected, points);
      expect(await readAll(file)).toEqual(listOf(expected));
      const range = sender.pickRange();
      expect(await readAll(file, range)).toEqual(listOf(expected, range));
      const what = sender.below(12);
      if (what === 0) await file.settle();
      if (what === 1) {
        file.close();
        file = openSmall(path);
      }
      if (what === 2) {
        const copy = openSmall(copyFiles(path, temporaryFolder()));
        expect(await readAll(copy)).toEqual(listOf(expected));
        copy.close();
      }
    }
    file.close();
    expect(listJournals(path)).toEqual([]);
    file = openSmall(path);
    expect(await readAll(file)).toEqual(listOf(expected));
    file.close();
    expect(checkFile(path).damage).toEqual([]);
  }
}, 120_000);

test("a read that has begun sees neither what is written, flushed nor cleared meanwhile", async () => {
  const path = newPath();
  const file = openSmall(path);
  await file.write([pointAt(1), pointAt(2)], target);
  await file.settle();
  await file.write([pointAt(3)], target);
  let go = () => {};
  const waiting = new Promise<void>((resolve) => {
    go = resolve;
  });
  const seen: unknown[] = [];
  const reading = file.read(async (snapshot) => {
    const once = { ...file, read: <T>(work: (one: typeof snapshot) => Promise<T>) => work(snapshot) };
    await waiting;
    seen.push(await readAll(once));
  });
  await file.write([pointAt(4), pointAt(2, 20)], target);
  await file.settle();
  await file.write([pointAt(5)], target);
  file.clear();
  await file.write([pointAt(6)], target);
  go();
  await reading;
  const list = (values: readonly number[]) => ({ v: values.map((at) => [at, at]) });
  expect(seen).toEqual([list([1, 2, 3])]);
  expect(await readAll(file)).toEqual(list([6]) as never);
  file.close();
});

describe("after a crash", () => {
  /** Files of a bucket with a point in a block and two in the journal, as a crash leaves them. */
  async function leaveBehind(): Promise<{ path: string; journal: string }> {
    const from = newPath();
    const file = openBucketFile(from);
    await file.write([pointAt(1)], target);
    await file.settle();
    await file.write([pointAt(2)], target);
    await file.write([pointAt(3)], target);
    const path = copyFiles(from, temporaryFolder());
    file.close();
    return { path, journal: listJournals(path)[0]!.path };
  }

  async function readTimes(path: string): Promise<number[]> {
    const file = openBucketFile(path);
    try {
      return ((await readAll(file)).v ?? []).map(([at]) => at);
    } finally {
      file.close();
    }
  }

  test("a record that was cut off is left out, and the check finds nothing wrong", async () => {
    const { path, journal } = await leaveBehind();
    truncateSync(journal, readFileSync(journal).length - 5);
    expect(checkFile(path)).toMatchObject({ blocks: 1, pending: 1, damage: [] });
    expect(await readTimes(path)).toEqual([1, 2]);
    expect(await readTimes(path)).toEqual([1, 2]);
  });

  test("bytes of a write that was never whole are left out", async () => {
    const { path, journal } = await leaveBehind();
    appendFileSync(journal, Buffer.alloc(100, 7));
    expect(await readTimes(path)).toEqual([1, 2, 3]);
  });

  test("a record that was on disk and has changed is damage: nothing is left out silently", async () => {
    const { path, journal } = await leaveBehind();
    const bytes = readFileSync(journal);
    bytes[16 + 24 + 3]! ^= 1;
    writeFileSync(journal, bytes);
    const message = /^the journal of points b\.db-head-\d+ is damaged at byte 16$/;
    expect(checkFile(path).damage).toEqual([expect.stringMatching(message)]);
    await expect(readTimes(path)).rejects.toMatchObject({ code: "bucket_damaged" });
    const file = openBucketFile(path);
    await expect(file.write([pointAt(9)], target)).rejects.toThrow(message);
    file.reset();
    await file.write([pointAt(9)], target);
    file.close();
    expect(await readTimes(path)).toEqual([9]);
  });

  test("the journal of another file, as of a bucket of that name before, says nothing", async () => {
    const { path, journal } = await leaveBehind();
    const other = newPath();
    const file = openBucketFile(other);
    await file.write([pointAt(7)], target);
    file.close();
    writeFileSync(`${other}-head-9`, readFileSync(journal));
    expect(await readTimes(other)).toEqual([7]);
    expect(await readTimes(path)).toEqual([1, 2, 3]);
    expect(listJournals(other)).toEqual([]);
  });

  test("a clear is not undone by a journal that was left", async () => {
    const { path, journal } = await leaveBehind();
    const left = readFileSync(journal);
    const file = openBucketFile(path);
    file.clear();
    await file.write([pointAt(8)], target);
    file.close();
    writeFileSync(journal, left);
    expect(await readTimes(path)).toEqual([8]);
  });
});

test("writes at the same time share an fsync, and each is on disk afterwards", async () => {
  const path = newPath();
  const file = openBucketFile(path);
  await Promise.all(Array.from({ length: 50 }, (_, i) => file.write([pointAt(i)], target)));
  const copy = openBucketFile(copyFiles(path, temporaryFolder()));
  expect((await readAll(copy)).v).toHaveLength(50);
  copy.close();
  file.close();
});

test("writes at the same time go on while full heads become blocks, and each is on disk afterwards", async () => {
  const path = newPath();
  const file = openSmall(path);
  const writers = 8;
  const writeAll = async (writer: number) => {
    for (let i = 0; i < 60; i++) {
      const points = Array.from({ length: 10 }, (_, k) => pointAt((i * 10 + k) * writers + writer));
      await file.write(points, target);
    }
  };
  const settling = async () => {
    for (let i = 0; i < 20; i++) await file.settle();
  };
  await Promise.all([settling(), ...Array.from({ length: writers }, (_, writer) => writeAll(writer))]);
  const copy = openBucketFile(copyFiles(path, temporaryFolder()));
  expect((await readAll(copy)).v).toEqual(
    Array.from({ length: writers * 600 }, (_, at): [number, number] => [at, at]),
  );
  copy.close();
  file.close();
}, 60_000);

test("a write that waits for room while the file is closed is refused, and opens nothing anew", async () => {
  const path = newPath();
  const file = openBucketFile(path, { headLimits: { ...smallLimits, points: 2 } });
  await file.write([pointAt(1)], target);
  await file.write([pointAt(2)], target);
  const waiting = file.write([pointAt(3)], target);
  file.close();
  await expect(waiting).rejects.toMatchObject({ code: "bucket_unavailable" });
  expect(listJournals(path)).toEqual([]);
});

test("a head that is old becomes blocks with the next write", async () => {
  const path = newPath();
  const file = openBucketFile(path, { headLimits: { ...smallLimits, ageMs: 0 } });
  await file.write([pointAt(1)], target);
  await file.settle();
  expect(checkFile(path)).toMatchObject({ blocks: 1, pending: 0 });
  file.close();
});

test("a field of many points becomes blocks a part at a time; a read or a crash meanwhile finds all of them", async () => {
  const path = newPath();
  const file = openBucketFile(path);
  const sent = Array.from({ length: 200_000 }, (_, at) =>
    at % 100 === 7 ? { at, fields: { v: `state ${at}` }, tags: {} } : pointAt(at),
  );
  await file.write(sent, target);
  const numbers = sent.filter(({ fields }) => typeof fields.v === "number").length;
  let [isDone, partial] = [false, 0];
  const settling = file.settle().then(() => {
    isDone = true;
  });
  for (let next = 1; !isDone; ) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (isDone || --next > 0) continue;
    next = 10;
    const copy = copyFiles(path, temporaryFolder());
    const { blocks, pending, damage } = checkFile(copy);
    expect(damage).toEqual([]);
    if (blocks > 0 && pending > 0) partial++;
    const opened = openBucketFile(copy);
    for (const each of [file, opened]) expect((await readAll(each)).v).toHaveLength(numbers);
    opened.close();
  }
  await settling;
  expect(partial).toBeGreaterThan(0);
  expect((await readAll(file)).v).toHaveLength(numbers);
  file.close();
  expect(checkFile(path)).toMatchObject({ pending: 0, damage: [] });
}, 120_000);
