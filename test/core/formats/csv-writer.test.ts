// CSV by RFC 4180: quoting, times, null, and numbers with all their bits.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { csvPieces, quoteField } from "../../../src/core/formats/csv-writer.ts";
import { aTable, readCsv } from "../../support/tables.ts";

const columns = [
  { name: "time", type: "time" },
  { name: "host", type: "text" },
  { name: "avg_load", type: "number" },
  { name: "anomaly", type: "boolean" },
] as const;

test("a header line, times in UTC, an empty field for null", () => {
  const table = aTable(columns, [
    [
      [0, "a", 1.5, false],
      [60.5, "a", null, true],
    ],
    [[0, "b, c", undefined, false]],
  ]);
  expect([...csvPieces(table)].join("")).toBe(
    "time,host,avg_load,anomaly\r\n" +
      "1970-01-01T00:00:00.000Z,a,1.5,false\r\n" +
      "1970-01-01T00:01:00.500Z,a,,true\r\n" +
      '1970-01-01T00:00:00.000Z,"b, c",,false\r\n',
  );
});

test("an empty table is a header line", () => {
  expect([...csvPieces(aTable(columns, []))]).toEqual(["time,host,avg_load,anomaly\r\n"]);
});

test.each([
  ["plain", "plain"],
  ["a,b", '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ["two\nlines", '"two\nlines"'],
  ["cr\rlf", '"cr\rlf"'],
  [" blank", '" blank"'],
  ["", ""],
])("%j is written as %s", (text, written) => {
  expect(quoteField(text)).toBe(written);
});

test("whatever the names, tags and numbers are, a reader gets them back", () => {
  const texts = fc.array(fc.string({ unit: "binary" }), { minLength: 1, maxLength: 4 });
  const numbers = fc.array(fc.double(), { maxLength: 5 });
  fc.assert(
    fc.property(texts, numbers, (names, values) => {
      const own = names.map((name) => ({ name, type: "text" as const }));
      const table = aTable(
        [...own, { name: "v", type: "number" }],
        [values.map((value) => [...names, value])],
      );
      const [header, ...rows] = readCsv([...csvPieces(table)].join(""));
      expect(header).toEqual([...names, "v"]);
      expect(rows.map((row) => row.slice(0, -1))).toEqual(values.map(() => names));
      const read = rows.map((row) => (row.at(-1) === "" ? null : Number(row.at(-1))));
      expect(read).toEqual(JSON.parse(JSON.stringify(values)));
    }),
  );
});

test("a long table comes in pieces of bounded size", () => {
  const length = 50_000;
  const table = {
    columns,
    blocks: [{ length, cells: [(row: number) => row, () => "a", (row: number) => row / 7, () => false] }],
    metadata: {},
  };
  const pieces = [...csvPieces(table)];
  expect(pieces.length).toBeGreaterThan(5);
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(1_000_000);
  expect(readCsv(pieces.join(""))).toHaveLength(length + 1);
});
