// CSV and TSV: quoting, missing values, round trips.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { renderCsv, renderTsv } from "../../../src/cli/terminal/separated.ts";
import { CsvReader } from "../../../src/core/formats/csv-reader.ts";

test("cells are quoted where they must be", () => {
  const rows = [
    ['a "b"', "x,y", "two\nlines", null],
    [1.5, true, undefined, " "],
  ];
  expect(renderCsv(["p", "q", "r", "s"], rows)).toBe(
    'p,q,r,s\r\n"a ""b""","x,y","two\nlines",\r\n1.5,true,, \r\n',
  );
  expect(renderTsv(["p", "q"], [["a\tb", "c\r\nd"]])).toBe("p\tq\na b\tc d\n");
});

test("reads back the written text", () => {
  const text = fc.string().map((cell) => `x${cell}x`);
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { minLength: 1 }), (rows) => {
      const reader = new CsvReader(",");
      const read = [...reader.push(renderCsv(["a", "b"], rows)), ...reader.end()];
      expect(read.slice(1).map(({ cells }) => [...cells])).toEqual(rows);
    }),
  );
});
