// SQL of reads of jobs, among ten thousand rows.
import { expect, test } from "bun:test";
import { listJobs, loadResults } from "../../../src/store/jobs/rows.ts";
import { useStore } from "../temporary.ts";

const store = useStore();

test("promise 13: ten thousand jobs list in well under a second, ordered by id", async () => {
  const result = JSON.stringify({ timestamps: Array.from({ length: 500 }, (_, i) => i) });
  const insert = store.sqlite.prepare(
    "insert into jobs (id, type, state, created_at, ended_at, result) values (?, 'read', 'done', 1, 2, ?)",
  );
  store.sqlite.transaction(() => {
    for (let i = 0; i < 10_000; i++) insert.run(`job-${(i * 7919) % 10_000}`, result);
  })();
  const startAt = performance.now();
  const rows = await listJobs(store);
  const results = await loadResults(store, rows.map(({ id }) => id).slice(0, 100));
  expect(performance.now() - startAt).toBeLessThan(2000);
  expect(rows).toHaveLength(10_000);
  expect(rows.every((row, i) => i === 0 || rows[i - 1]!.id < row.id)).toBe(true);
  expect(results.size).toBe(100);
});
