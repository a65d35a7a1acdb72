// Labelled series: reading, and their grids.
import { expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { coarsen, observedFrom, parseRows, readFolder, toSeries } from "./series.ts";

const rowsOf = (triples: readonly (readonly [number, number, number])[]) =>
  triples.map(([timestamp, value, label]) => ({ timestamp, value, label }));

test("the step is the most frequent difference; repeated and late rows share an interval", () => {
  const rows = rowsOf([
    [1000, 1, 0],
    [1060, 2, 0],
    [1060, 4, 1],
    [1125, 8, 0],
    [1240, 9, 0],
    [1300, 5, 0],
  ]);
  const { step, startAt, values, labels } = toSeries("a/b", rows);
  // Intervals of 60 s aligned on the epoch: 960, 1020, 1080, 1140, 1200, 1260.
  expect([step, startAt]).toEqual([60, 960]);
  expect([...values]).toEqual([1, 3, 8, Number.NaN, 9, 5]);
  expect([...labels]).toEqual([0, 1, 0, 0, 0, 0]);
});

test("coarser intervals hold the mean of what is there", () => {
  // 5-minute intervals from 00:20 on: the first half hour holds two of them.
  const fine = {
    values: Float64Array.of(1, 3, Number.NaN, 4, 4, 4, 4, 8, Number.NaN),
    step: 300,
    startAt: 1200,
  };
  const { values, step, startAt } = coarsen(fine, 6);
  expect([step, startAt]).toEqual([1800, 0]);
  expect([...values]).toEqual([2, (4 * 4 + 8) / 5, Number.NaN]);
});

test("intervals that hold a row", () => {
  expect([...observedFrom({ values: Float64Array.of(1, Number.NaN, 2, 3) }, 1)]).toEqual([2, 3]);
});

test("a line that is not three numbers is named", () => {
  expect(() => parseRows("timestamp,value,label\n1,2,0\n2,x,0", "f.csv")).toThrow("f.csv, line 3");
});

test("a folder: plain and compressed files below it, by name; other tables are left out", async () => {
  const folder = await mkdtemp(join(tmpdir(), "series-"));
  const text = "timestamp,value,label\n0,1,0\n60,2,1\n";
  await Bun.write(join(folder, "b/two.csv.gz"), Bun.gzipSync(new TextEncoder().encode(text)));
  await Bun.write(join(folder, "a/x/one.csv"), text.replaceAll("\n", "\r\n"));
  await writeFile(join(folder, "other.csv"), "name,price\n");
  const all = await readFolder(folder);
  expect(all.map(({ name, group }) => [name, group])).toEqual([
    ["a/x/one", "a"],
    ["b/two", "b"],
  ]);
  expect(all.map(({ values, labels }) => [[...values], [...labels]])).toEqual([
    [
      [1, 2],
      [0, 1],
    ],
    [
      [1, 2],
      [0, 1],
    ],
  ]);
  await rm(folder, { recursive: true });
});

test("the open data are as their README says", async () => {
  const all = await readFolder(join(import.meta.dir, "../data/eval"));
  const groups = Map.groupBy(all, ({ group }) => group);
  expect(["nab", "cloud", "donut"].map((group) => groups.get(group)!.length)).toEqual([31, 32, 1]);
  const cpu4 = groups.get("donut")![0]!;
  expect([cpu4.step, cpu4.values.length, observedFrom(cpu4).length]).toEqual([300, 17_568, 17_568]);
});
