// SQL of reads of jobs, among ten thousand rows.
import { expect, test } from "bun:test";
import { listJobs, loadResults } from "../../../src/store/jobs/rows.ts";
import { cpuMs } from "../../support/cpu.ts";
import { execute, useStore } from "../temporary.ts";

const store = useStore();

test("promise 13: ten thousand jobs list in well under a second, ordered by id", async () => {
  const result = JSON.stringify({ timestamps: Array.from({ length: 500 }, (_, i) => i) });
  await execute(
    store,
    `insert into jobs (id, type, state, created_at, ended_at, result)
      with recursive n(i) as (select 0 union all select i + 1 from n where i < 9999)
      select 'job-' || ((i * 7919) % 10000), 'read', 'done', 1, 2, '${result}' from n`,
  );
  let rows: Awaited<ReturnType<typeof listJobs>> = [];
  let results: Awaited<ReturnType<typeof loadResults>> = new Map();
  const read = async () => {
    rows = await listJobs(store);
    results = await loadResults(store, rows.map(({ id }) => id).slice(0, 100));
  };
  expect(await cpuMs(read)).toBeLessThan(2000);
  expect(rows).toHaveLength(10_000);
  expect(rows.every((row, i) => i === 0 || rows[i - 1]!.id < row.id)).toBe(true);
  expect(results.size).toBe(100);
});
