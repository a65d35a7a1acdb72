// Kind `csv`: the contract over written files, file formats, and files outside of the root.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { checkPath, listFiles, openFile } from "../../src/buckets/csv/files.ts";
import { csv } from "../../src/buckets/csv/index.ts";
import type { CsvSettings } from "../../src/buckets/csv/settings.ts";
import { checkBucket } from "../../src/buckets/index.ts";
import type { Bucket } from "../../src/buckets/kind.ts";
import type { FeatureQuery, Point } from "../../src/core/series/query.ts";
import { makeFolder } from "../support/spawned.ts";
import { counterAnswers, counterPoints, NONE } from "./cases.ts";
import { runContract } from "./contract.ts";
import { aFeature, aQuery, expectColumn, idle, MINUTE, readColumn, T0 } from "./support.ts";

const open = (root: string | undefined, settings: CsvSettings): Bucket =>
  csv.open("b", settings, { dataDir: "", ...(root !== undefined && { dataRoot: root }) });

const quote = (cell: unknown) => `"${String(cell ?? "").replaceAll('"', '""')}"`;

/** A file with a column per field and per tag. */
function toCsv(points: readonly Point[]): string {
  const names = [
    ...new Set(points.flatMap(({ fields, tags }) => [...Object.keys(fields), ...Object.keys(tags)])),
  ];
  const rows = points.map(({ at, fields, tags }) => [
    new Date(at).toISOString(),
    ...names.map((name) =>
      Object.hasOwn(fields, name) ? fields[name] : Object.hasOwn(tags, name) ? tags[name] : "",
    ),
  ]);
  return [["timestamp", ...names], ...rows].map((row) => row.map(quote).join(",")).join("\n");
}

let root: string;
beforeAll(() => {
  root = makeFolder("csv-root");
});
afterAll(() => rmSync(root, { recursive: true }));

let folders = 0;
runContract({
  kind: "csv",
  replaces: false,
  oneNamespace: true,
  async create(settings = {}) {
    const path = `contract-${folders++}`;
    mkdirSync(join(root, path));
    const files = new Map<string, Point[]>();
    return {
      bucket: open(root, { path, ...settings }),
      async seed(points, measurement = "points") {
        if (points.length === 0) return;
        const all = [...(files.get(measurement) ?? []), ...points];
        files.set(measurement, all);
        await Bun.write(join(root, path, `${measurement}.csv`), toCsv(all));
      },
      dispose() {},
    };
  },
});

const read = (settings: CsvSettings, feature: Partial<FeatureQuery> = {}, minutes = 3) =>
  readColumn(open(root, settings), feature, minutes);

const seconds = T0 / 1000;
const iso = (atMs: number) => new Date(T0 + atMs).toISOString();

describe("a file may be", () => {
  test.each<[string, string, Partial<CsvSettings>]>([
    ["seconds", `timestamp,v\n${seconds},1\n${seconds + 60},2\n`, {}],
    ["milliseconds, recognised by their size", `timestamp,v\n${T0},1\n${T0 + 60_000},2\n`, {}],
    [
      "ISO, semicolons, CRLF, a byte order mark",
      `\ufefftimestamp;v\r\n${iso(0)};1\r\n${iso(60_000)};2\r\n`,
      {},
    ],
    ["another column with the time", `v\twhen\n1\t${iso(0)}\n2\t${iso(60_000)}\n`, { time_column: "when" }],
    [
      "a pattern of the time",
      "timestamp,v\n14/11/2023 22:13,1\n14/11/2023 22:14,2\n",
      { time_format: "%d/%m/%Y %H:%M" },
    ],
    ["no header", `${iso(0)},x,1\n${iso(60_000)},y,2\n`, { header: ["timestamp", "name", "v"] }],
    ["a delimiter that is set", `timestamp v\n${seconds} 1\n${seconds + 60} 2\n`, { delimiter: " " }],
    ["missing values", `timestamp,v\n${iso(0)},1\n${iso(1)},\n${iso(2)},NaN\n${iso(60_000)},2\n`, {}],
    ["out of order", `timestamp,v\n${iso(60_000)},2\n${iso(0)},1\n`, {}],
    ["quoted", `"timestamp","v"\n"${iso(0)}","1"\n"${iso(60_000)}","2"`, {}],
  ])("%s", async (_, text, more) => {
    const path = `file-${folders++}.csv`;
    await Bun.write(join(root, path), text);
    expectColumn(await read({ path, ...more }), [1, 2, NONE]);
    expectColumn(await read({ path, ...more }, { metric: "last" }), [1, 2, NONE]);
    await Bun.write(join(root, `${path}.gz`), Bun.gzipSync(Buffer.from(text)));
    expectColumn(await read({ path: `${path}.gz`, ...more }), [1, 2, NONE]);
  });

  test("large, and read in pieces", async () => {
    const rows = Array.from({ length: 200_000 }, (_, i) => `${(T0 + i * 100) / 1000},${i}`);
    await Bun.write(join(root, "large.csv"), `timestamp,v\n${rows.join("\n")}\n`);
    const counts = await read({ path: "large.csv" }, { metric: "count" }, 334);
    expect([counts[0], counts[332], counts[333]]).toEqual([600, 600, 200]);
  });
});

describe("of a folder", () => {
  test("a file is read for what names it: others may be broken, and begin before its end", async () => {
    const folder = join(root, "apart");
    mkdirSync(folder);
    const rows = (value: number) =>
      Array.from({ length: 2000 }, (_, i) => `${T0 / 1000 + i * 30},${value}`).join("\n");
    for (const [i, name] of ["a", "b", "c", "d"].entries())
      await Bun.write(join(folder, `${name}.csv`), `timestamp,v\n${rows(i + 1)}\n`);
    await Bun.write(join(folder, "e.csv"), "timestamp,v\nno time,1\n");
    const features = ["b", "d"].map((measurement) => ({
      ...{ name: measurement, metric: "mode", field: "v", tags: [], measurement },
    }));
    const range = { fromAt: T0, toAt: T0 + 1000 * MINUTE };
    const { columns } = await open(root, { path: "apart" }).read(
      { range, intervalMs: 500 * MINUTE, features },
      idle(),
    );
    expectColumn(columns.b!, [2, 2]);
    expectColumn(columns.d!, [4, 4]);
    await expect(read({ path: "apart" })).rejects.toMatchObject({ code: "bucket_rejected" });
  });

  test("one feature out of order beside one in order", async () => {
    const path = "orders.csv";
    const lines = [
      [60_000, "a", 2],
      [0, "b", 10],
      [120_000, "a", 3],
      [0, "a", 1],
      [60_000, "b", 20],
    ];
    const text = lines.map(([at, host, v]) => `${iso(Number(at))},${host},${v}`).join("\n");
    await Bun.write(join(root, path), `timestamp,host,v\n${text}\n`);
    const features = ["b", "a"].flatMap((host) =>
      ["sum", "last"].map((metric) => ({
        ...{ name: `${metric}_${host}`, metric, field: "v", tags: [{ tag: "host", value: host }] },
      })),
    );
    const { columns } = await open(root, { path }).read(aQuery(features), idle());
    expect(Object.keys(columns)).toEqual(features.map(({ name }) => name));
    for (const metric of ["sum", "last"]) {
      expectColumn(columns[`${metric}_a`]!, [1, 2, 3]);
      expectColumn(columns[`${metric}_b`]!, [10, 20, NONE]);
    }
  });

  test("by group: files one after the other, and a group out of order beside one in order", async () => {
    const folder = join(root, "groups");
    mkdirSync(folder);
    const write = (name: string, rows: readonly (readonly [number, number, string])[]) => {
      const lines = rows.map(([at, value, host]) => `${iso(at)},${value},${host}`);
      return Bun.write(join(folder, `${name}.csv`), `timestamp,v,host\n${lines.join("\n")}\n`);
    };
    const late = [120_000, 3, "a"] as const;
    await write("one", [[0, 1, "a"], [60_000, 2, "a"], late]);
    await write("two", [
      [0, 10, "b"],
      [120_000, 30, "b"],
    ]);
    const query = { ...aQuery([aFeature()]), groupBy: ["host"], maxSeries: 9 };
    const expectSums = async (bucket: Bucket) => {
      const { series } = await bucket.readGrouped!(query, idle());
      expect(series.map(({ tags }) => tags.host)).toEqual(["a", "b"]);
      expectColumn(series[0]!.grid.columns.f!, [1, 2, 3]);
      expectColumn(series[1]!.grid.columns.f!, [10, NONE, 30]);
    };
    await expectSums(open(root, { path: "groups" }));
    await write("one", [late, [0, 1, "a"], [60_000, 2, "a"]]);
    await expectSums(open(root, { path: "groups" }));
  });

  test("each file is a series for metrics that look back, and within a file what `series_by` names", async () => {
    const folder = join(root, "counters");
    mkdirSync(folder);
    const write = (name: string, hosts: string) => {
      const rows = counterPoints.filter(([, , host]) => hosts.includes(host)).map((row) => [...row] as const);
      const lines = rows.map(([at, value, host]) => `${iso(at)},${value},${host}`);
      return Bun.write(join(folder, `${name}.csv`), `timestamp,v,host\n${lines.join("\n")}\n`);
    };
    await write("one", "a");
    await write("two", "b");
    const [[, , expected]] = counterAnswers as [(typeof counterAnswers)[number]];
    expectColumn(await read({ path: "counters" }, { metric: "rate" }), expected);
    await write("two", "bc");
    expectColumn(await read({ path: "counters", series_by: ["host"] }, { metric: "rate" }), expected);
    const together = await read({ path: "counters" }, { metric: "rate", measurement: "two" }, 1);
    expectColumn(together, [8 / 60]);
  });

  test("the CSV files are measurements, all of them together where none is named", async () => {
    const folder = join(root, "folder");
    mkdirSync(join(folder, "deeper"), { recursive: true });
    await Bun.write(join(folder, "b.csv"), `timestamp,v\n${iso(0)},1\n`);
    await Bun.write(join(folder, "a.tsv.gz"), Bun.gzipSync(Buffer.from(`timestamp\tv\n${iso(0)}\t2\n`)));
    await Bun.write(join(folder, "notes.txt"), "nothing to read\n");
    expectColumn(await read({ path: "folder" }), [3, NONE, NONE]);
    expectColumn(await read({ path: "folder" }, { measurement: "a" }), [2, NONE, NONE]);
    expectColumn(await read({ path: "folder" }, { measurement: "../folder/a" }), [NONE, NONE, NONE]);
    const { measurements } = await open(root, { path: join(root, "folder") }).explore!(
      { limits: { measurements: 9, names: 9, values: 9 }, measurement: "b" },
      idle(),
    );
    expect(measurements).toEqual([
      { name: "b", fields: [{ name: "v", type: "number" }], tags: [], firstAt: T0, lastAt: T0 },
    ]);
  });
});

test("a file that has become a link since it was listed is not opened", async () => {
  const outside = makeFolder("csv-outside");
  await Bun.write(join(outside, "secret.csv"), "timestamp,v\n2026-01-01,1\n");
  await Bun.write(join(root, "swapped.csv"), "timestamp,v\n2026-01-01,2\n");
  const [file] = await listFiles("swapped.csv", root);
  rmSync(file!.path);
  symlinkSync(join(outside, "secret.csv"), file!.path);
  await expect(openFile(file!)).rejects.toMatchObject({ code: "bucket_unavailable" });
  rmSync(file!.path);
  rmSync(outside, { recursive: true });
});

describe("a path that is checked when a bucket is created", () => {
  test.each([
    ["../x.csv", "not out of it"],
    ["/etc/passwd", "not out of it"],
    ["out/secret.csv", "not out of it"],
    ["null.csv", "not out of it"],
    ["pipe", "this is neither"],
  ])("%s is refused", async (path, message) => {
    symlinkSync("/etc", join(root, "out"));
    symlinkSync("/dev/null", join(root, "null.csv"));
    Bun.spawnSync(["mkfifo", join(root, "pipe")]);
    try {
      const error = await checkPath(path.replace("secret.csv", "passwd"), root).catch((thrown) => thrown);
      expect(error).toMatchObject({ code: "invalid", details: { path: "path" } });
      expect(error.message).toContain(message);
    } finally {
      for (const name of ["out", "null.csv", "pipe"]) rmSync(join(root, name));
    }
  });

  test("a file, the root itself, and a file that is not there yet are fine", async () => {
    await Bun.write(join(root, "there.csv"), "timestamp,v\n");
    for (const path of ["there.csv", ".", "later.csv", join(root, "there.csv")])
      expect(await checkPath(path, root)).toBeUndefined();
  });

  test("without a data root nothing can be read", async () => {
    await expect(checkPath("a.csv", undefined)).rejects.toThrow("set storage.data_root");
  });
});

describe("paths that lead out of the data root, links and devices are refused", () => {
  beforeAll(async () => {
    const outside = makeFolder("csv-outside");
    await Bun.write(join(outside, "secret.csv"), "timestamp,v\n0,1\n");
    symlinkSync(join(outside, "secret.csv"), join(root, "link.csv"));
    symlinkSync(outside, join(root, "linked"));
    symlinkSync("/dev/zero", join(root, "zero.csv"));
    mkdirSync(join(root, "mixed"));
    symlinkSync(join(outside, "secret.csv"), join(root, "mixed", "link.csv"));
    mkdirSync(join(root, "devices.csv"));
    Bun.spawnSync(["mkfifo", join(root, "pipe.csv")]);
    mkdirSync(`${root}-beside`);
    await Bun.write(join(`${root}-beside`, "x.csv"), "timestamp,v\n0,1\n");
    cleanUp = () => {
      for (const folder of [outside, `${root}-beside`]) rmSync(folder, { recursive: true });
    };
  });
  let cleanUp = () => {};
  afterAll(() => cleanUp());

  test.each([
    "../../etc/passwd",
    "/etc/passwd",
    "/dev/zero",
    "/proc/self/environ",
    "..",
    "link.csv",
    "linked/secret.csv",
    "linked",
    "mixed",
    "zero.csv",
    "pipe.csv",
    "nothing.csv",
    "a\nb",
  ])("%j", async (path) => {
    const error = await read({ path }).catch((thrown) => thrown);
    expect(["bucket_unavailable", "bucket_rejected"]).toContain(error.code);
    expect(error.message).not.toMatch(/etc|proc|secret|outside/);
  });

  test("a folder beside the root whose name begins like it", async () => {
    await expect(read({ path: `${root}-beside/x.csv` })).rejects.toMatchObject({
      code: "bucket_unavailable",
    });
  });

  test("everything, where no root is set", async () => {
    const bucket = open(undefined, { path: "large.csv" });
    await expect(bucket.probe!(idle())).rejects.toMatchObject({
      code: "bucket_rejected",
      message: expect.stringContaining("storage.data_root"),
    });
  });

  test.each<[string, string, string]>([
    ["a row too short", "timestamp,v,w\n0,1\n", "line 2: has 2 cells"],
    ["no time", "timestamp,v\nyesterday,1\n", "line 2: holds no time"],
    ["no column of the time", "when,v\n0,1\n", "line 1: has no column timestamp"],
    ["an open quote", 'timestamp,v\n0,"1\n', "quote"],
  ])("%s", async (_, text, message) => {
    const path = `bad-${folders++}.csv`;
    await Bun.write(join(root, path), text);
    await expect(read({ path })).rejects.toMatchObject({
      code: "bucket_rejected",
      message: expect.stringContaining(message),
    });
  });

  test("damaged gzip", async () => {
    const path = join(root, "cut.csv.gz");
    await Bun.write(path, Bun.gzipSync(Buffer.from(`timestamp,v\n${"0,1\n".repeat(10_000)}`)));
    truncateSync(path, 40);
    await expect(read({ path: "cut.csv.gz" })).rejects.toMatchObject({ code: "bucket_rejected" });
  });

  test("writing and clearing", () => {
    const bucket = open(root, { path: "x" });
    expect([bucket.write, bucket.clear]).toEqual([undefined, undefined]);
  });

  test.each([
    [{}, "path"],
    [{ path: "x", time_format: "%Q" }, "time_format"],
    [{ path: "x", delimiter: ";;" }, "delimiter"],
    [{ path: "x", header: [] }, "header"],
  ])("settings %j", (settings, path) => {
    expect(() => checkBucket({ name: "c", type: "csv", ...settings })).toThrow(path);
  });
});
