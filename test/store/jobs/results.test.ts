// Stored results: in the row or in parts, bounded in sum, their pages used again.
import { beforeEach, expect, test } from "bun:test";
import { migrations } from "../../../src/store/db/migrations.ts";
import { openStore } from "../../../src/store/db/open.ts";
import { cancelJobs, claimJob, finishJob, submitJobs } from "../../../src/store/jobs/jobs.ts";
import {
  notKept,
  pruneParts,
  type ResultText,
  readResult,
  saveParts,
} from "../../../src/store/jobs/results.ts";
import { loadJob } from "../../../src/store/jobs/rows.ts";
import { resultText } from "../../support/result-text.ts";
import { makeDir, rows, testSqlite, useStore } from "../temporary.ts";

const store = useStore();
let at = 0;
beforeEach(() => {
  at = 0;
});

const long = (n: number) => resultText({ values: Array.from({ length: n }, (_, i) => i + 0.5) });
const large = long(100_000);

async function claim(id: string): Promise<{ id: string; owner: string; at: number }> {
  at++;
  await submitJobs(store, [{ id, type: "read", model: null, input: {} }], { at, maxWaiting: 10 });
  await claimJob(store, ["read"], { owner: "me", at });
  return { id, owner: "me", at };
}

async function finish(id: string, text: ResultText | null, most?: number): Promise<void> {
  expect(await finishJob(store, await claim(id), text, most)).toBe(true);
}

async function textOf(id: string): Promise<string> {
  let text = "";
  for await (const piece of readResult(store, await loadJob(store, id))) text += piece;
  return text;
}

const countParts = async () => (await rows(store, "select count(*) from job_results"))[0]![0];
const keptOf = async (id: string) => (await loadJob(store, id)).resultBytes;

test("a small result is in the row, a large one in parts; both read back to the letter", async () => {
  await finish("small", resultText({ n: [1, null, "ä"] }));
  await finish("large", large);
  await finish("none", null);
  expect(await loadJob(store, "small")).toMatchObject({ result: { n: [1, null, "ä"] }, resultBytes: 19 });
  expect(await loadJob(store, "large")).toMatchObject({ result: null, resultBytes: large.bytes });
  expect(await loadJob(store, "none")).toMatchObject({ result: null, resultBytes: null });
  expect(await textOf("small")).toBe('{"n":[1,null,"ä"]}');
  expect(await textOf("large")).toBe(large.pieces.join(""));
  expect(await countParts()).toBe(large.pieces.length);
});

test("attack C2: beyond the sum the oldest results go, their jobs stay", async () => {
  const most = 2 * large.bytes + 10;
  for (const id of ["a", "b", "c"]) await finish(id, large, most);
  expect(await Promise.all(["a", "b", "c"].map(keptOf))).toEqual([0, large.bytes, large.bytes]);
  expect(await countParts()).toBe(2 * large.pieces.length);
  await finish("d", resultText("x".repeat(100)), most);
  expect(await Promise.all(["a", "b", "c", "d"].map(keptOf))).toEqual([0, 0, large.bytes, 102]);
  expect(await textOf("b")).toBe("null");
});

testSqlite(
  "attack C2: the file does not grow without end; pages of dropped results are used again",
  async () => {
    const pages = () => (store.sqlite.query("PRAGMA page_count").get() as { page_count: number }).page_count;
    const most = 2 * large.bytes;
    for (let i = 0; i < 3; i++) await finish(`first ${i}`, large, most);
    const before = pages();
    for (let i = 0; i < 20; i++) await finish(`then ${i}`, large, most);
    expect(pages()).toBeLessThan(before * 1.05);
  },
);

test("a result of a job that was canceled meanwhile leaves no parts", async () => {
  const mine = await claim("a");
  await saveParts(store, mine, large);
  expect(await countParts()).toBe(large.pieces.length);
  await cancelJobs(store, ["a"], 9);
  expect(await finishJob(store, mine, large)).toBe(false);
  expect(await countParts()).toBe(0);
});

test("parts that a crash has left are replaced by the next attempt, or pruned", async () => {
  const mine = await claim("a");
  await saveParts(store, mine, large);
  const other = long(50_000);
  expect(await finishJob(store, mine, other)).toBe(true);
  expect(await textOf("a")).toBe(other.pieces.join(""));
  await saveParts(store, await claim("b"), large);
  await cancelJobs(store, ["b"], 9);
  await pruneParts(store);
  expect(await countParts()).toBe(other.pieces.length);
});

test("a result that is dropped while it is sent breaks the answer off", async () => {
  await finish("a", large);
  const pieces = readResult(store, await loadJob(store, "a"));
  await pieces.next();
  await finish("b", large, large.bytes);
  await expect(pieces.next()).rejects.toThrow("dropped while it was sent");
});

test("a result that was answered in the request counts nothing", async () => {
  await finish("a", notKept);
  expect(await loadJob(store, "a")).toMatchObject({ state: "done", result: null, resultBytes: 0 });
});

test("an upgrade keeps old results, the large ones in a part", async () => {
  const { dir, remove } = makeDir();
  const old = openStore({ dir, migrations: migrations.slice(0, 4) });
  const insert = old.sqlite.prepare(
    "insert into jobs (id, type, state, created_at, ended_at, result) values (?, 'read', 'done', 1, 2, ?)",
  );
  insert.run("large", large.pieces.join(""));
  insert.run("small", '{"a":"ä"}');
  insert.run("none", null);
  old.close();
  const upgraded = openStore({ dir });
  const rows = await Promise.all(["large", "small", "none"].map((id) => loadJob(upgraded, id)));
  expect(rows.map(({ result, resultBytes }) => [result, resultBytes])).toEqual([
    [null, large.bytes],
    [{ a: "ä" }, 10],
    [null, null],
  ]);
  const [piece] = await Array.fromAsync(readResult(upgraded, rows[0]!));
  expect(piece).toBe(large.pieces.join(""));
  upgraded.close();
  remove();
});
