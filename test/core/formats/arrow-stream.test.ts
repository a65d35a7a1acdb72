// Arrow streams, read by the library of Apache in another process and by the C++ library in ClickHouse.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { arrowPieces } from "../../../src/core/formats/arrow-stream.ts";
import type { Table } from "../../../src/core/formats/table.ts";
import { clickhouseMissing, startClickhouse } from "../../support/clickhouse.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { aTable, readArrow } from "../../support/tables.ts";

const columns = [
  { name: "time", type: "time" },
  { name: "host", type: "text" },
  { name: 'avg_"a,b"\n', type: "number" },
  { name: "anomaly", type: "boolean" },
] as const;

const table = aTable(
  columns,
  [
    [
      [0, "a", 1 / 3, false],
      [60.5, "a", Number.NaN, true],
      [120, "a", null, true],
    ],
    [[0, "ü, b", -0, false]],
    [[0, "a", Number.POSITIVE_INFINITY, true]],
  ],
  { model: "m", version: "00" },
);

async function write(table: Table): Promise<Uint8Array> {
  return Buffer.concat(await Array.fromAsync(arrowPieces(table)));
}

test("types, values, nulls, dictionaries and metadata", async () => {
  expect(await readArrow(await write(table))).toEqual({
    fields: [
      "time: Timestamp<MILLISECOND, UTC> not null",
      "host: Dictionary<Int32, Utf8> not null",
      'avg_"a,b"\n: Float64',
      "anomaly: Bool not null",
    ],
    metadata: { model: "m", version: "00" },
    batches: [5],
    columns: {
      time: [0, 60_500, 120_000, 0, 0],
      host: ["a", "a", "a", "ü, b", "a"],
      'avg_"a,b"\n': [1 / 3, null, null, 0, null],
      anomaly: [false, true, true, false, true],
    },
  });
});

test("an empty table has a schema", async () => {
  const { fields, columns: read } = await readArrow(await write(aTable(columns, [])));
  expect(fields).toHaveLength(4);
  expect(Object.values(read)).toEqual([[], [], [], []]);
});

test("a year of minutes comes in batches of bounded size, each a piece", async () => {
  const length = 525_600;
  const cells = [(row: number) => row * 60, (row: number) => (row % 7 === 0 ? null : Math.sin(row))];
  const long = {
    columns: [columns[0], { name: "v", type: "number" as const }],
    blocks: [{ length, cells }],
    metadata: {},
  };
  const pieces = await Array.fromAsync(arrowPieces(long));
  expect(Math.max(...pieces.map(({ byteLength }) => byteLength))).toBeLessThan(2_000_000);
  const read = await readArrow(Buffer.concat(pieces));
  expect(Math.max(...read.batches)).toBe(65_536);
  expect(read.columns.v).toEqual(Array.from({ length }, (_, row) => cells[1]!(row)));
});

test("stops reading cells when its reader leaves", async () => {
  let reads = 0;
  const cell = () => {
    reads++;
    return 1;
  };
  const long = { ...table, columns: [columns[0]], blocks: [{ length: 1_000_000, cells: [cell] }] };
  const pieces = arrowPieces(long);
  await pieces.next();
  await pieces.next();
  const before = reads;
  await pieces.return(undefined);
  expect((await pieces.next()).done).toBe(true);
  expect([before, reads]).toEqual([65_536, 65_536]);
});

test.skipIf(clickhouseMissing !== undefined)("the C++ library reads the same", async () => {
  const [path, empty] = ["table.arrow", "empty.arrow"].map((name) => join(temporaryFolder(), name));
  await Bun.write(path!, await write(table));
  await Bun.write(empty!, await write(aTable(columns, [])));
  const server = await startClickhouse();
  try {
    expect(await server.run(`select count() from file('${empty}', ArrowStream)`)).toEqual([[0]]);
    const read = `select toTypeName(time), toUnixTimestamp64Milli(time), host, * except (time, host) from file('${path}', ArrowStream)`;
    expect(await server.run(read)).toEqual([
      ["DateTime64(3, 'UTC')", 0, "a", 1 / 3, false],
      ["DateTime64(3, 'UTC')", 60500, "a", null, true],
      ["DateTime64(3, 'UTC')", 120000, "a", null, true],
      ["DateTime64(3, 'UTC')", 0, "ü, b", 0, false],
      ["DateTime64(3, 'UTC')", 0, "a", null, true],
    ]);
  } finally {
    await server.stop();
  }
});
