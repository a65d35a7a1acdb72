// CSV parser: rows and cells, independent of the chunks of the text.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { CsvReader } from "../../../src/core/formats/csv-reader.ts";
import { errorOf } from "../expect.ts";

function read(pieces: readonly string[], delimiter?: string) {
  const reader = new CsvReader(delimiter);
  const rows = [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
  return rows.map(({ line, cells }) => [line, ...cells]);
}

const cases: [string, string, (string | number)[][]][] = [
  ["plain", "a,b\n1,2\n", [[1, "a", "b"], [2, "1", "2"]]], // biome-ignore format: a table
  ["no line end at the end", "a,b\n1,2", [[1, "a", "b"], [2, "1", "2"]]], // biome-ignore format: a table
  ["CR LF", "a,b\r\n1,2\r\n", [[1, "a", "b"], [2, "1", "2"]]], // biome-ignore format: a table
  ["CR alone", 'a,b\r1,"2\n"\r\r3,4\r', [[1, "a", "b"], [2, "1", "2\n"], [4, "3", "4"]]], // biome-ignore format: a table
  ["CR at the end, and nothing more", "a,b\r", [[1, "a", "b"]]],
  ["CR in quotes", '"a\rb",c\n1,2\n', [[1, "a\rb", "c"], [2, "1", "2"]]], // biome-ignore format: a table
  ["blanks around quotes", 'a, "b, c" ,d\n', [[1, "a", "b, c", "d"]]],
  ["a byte order mark", "\ufeffa,b\n", [[1, "a", "b"]]],
  ["blanks around", " a , b\n", [[1, "a", "b"]]],
  ["empty lines", "a\n\n  \nb\n", [[1, "a"], [4, "b"]]], // biome-ignore format: a table
  ["empty cells", "a,,\n,,c\n", [[1, "a", "", ""], [2, "", "", "c"]]], // biome-ignore format: a table
  ["semicolons", "a;b\n1;2,5\n", [[1, "a", "b"], [2, "1", "2,5"]]], // biome-ignore format: a table
  ["tabs", "a\tb\tc\n", [[1, "a", "b", "c"]]],
  ["quotes", '"a, b","say ""hi"""\n', [[1, "a, b", 'say "hi"']]],
  ["line ends in quotes", '"a\nb",c\nd,e\n', [[1, "a\nb", "c"], [3, "d", "e"]]], // biome-ignore format: a table
  ["quotes within cells", 'a,b\n12" disk,1\n5"" x,"2\n3"\ny "z",4\n', [[1, "a", "b"], [2, '12" disk', "1"], [3, '5"" x', "2\n3"], [5, 'y "z"', "4"]]], // biome-ignore format: a table
  ["a quote after another separator", 'a,b\nc; "d,1\n', [[1, "a", "b"], [2, 'c; "d', "1"]]], // biome-ignore format: a table
  ["a byte order mark before a quote", '\ufeff"a\nb",c\n', [[1, "a\nb", "c"]]],
  ["a quoted blank", '" a ",b\n', [[1, " a ", "b"]]],
];

describe("reads", () => {
  test.each(cases)("%s", (_name, text, rows) => expect(read([text])).toEqual(rows));

  test("with a delimiter that was named", () => {
    expect(read(["a;b,c\n"], ",")).toEqual([[1, "a;b", "c"]]);
  });

  test.each(["a,b\r1,2\r3,4\r", "a,b\r\n1,2\r\n3,4\r\n"])("%j, cut anywhere", (text) => {
    const rows = read([text]);
    for (let at = 0; at < text.length; at++) expect(read([text.slice(0, at), text.slice(at)])).toEqual(rows);
    expect(rows.map(([, ...cells]) => cells)).toEqual([["a", "b"], ["1", "2"], ["3", "4"]]); // biome-ignore format: a table
  });

  test("the same, wherever the text is cut", () => {
    const cell = fc.oneof(
      fc.string({ maxLength: 5 }),
      fc.constantFrom('"', "\n", "\r\n", ",", ";", "é", "日"),
    );
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 3 }), { minLength: 1, maxLength: 6 });
    const cuts = fc.array(fc.nat(200), { maxLength: 8 });
    const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(table, cuts, (rows, places) => {
        const text = rows.map((row) => row.map(quote).join(",")).join("\n");
        const sorted = [
          0,
          ...places.filter((place) => place < text.length).sort((a, b) => a - b),
          text.length,
        ];
        const pieces = sorted.slice(1).map((end, i) => text.slice(sorted[i]!, end));
        expect(read(pieces, ",").map(([, ...cells]) => cells)).toEqual(rows);
      }),
    );
  });
});

describe("refuses", () => {
  test.each([
    ["a quote that is never closed", 'a,b\n"c,d\ne,f\n', "line 2: has a quote that is never closed"],
    ["text after a quote", 'a,b\n"c"d,e\n', "line 2: has text after a closing quote"],
  ])("%s", (_name, text, message) => expect(errorOf(() => read([text])).message).toBe(message));

  test("a row without end before it fills the memory", () => {
    const reader = new CsvReader();
    reader.push("a,b\n");
    const work = () => {
      for (let i = 0; i < 100; i++) reader.push(`"${"x".repeat(100_000)}""`);
    };
    expect(errorOf(work).message).toStartWith("line 2: is longer than a million characters");
  });
});
