// CSV files of many dialects: separators, headers, numbers, series; read right or refused with cell and option.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { csvFlags } from "../../../../src/cli/input/csv-options.ts";
import { CsvTable } from "../../../../src/core/formats/csv/table.ts";
import { errorOf } from "../../expect.ts";
import { lines, read, refusal } from "./read.ts";

const days = (cells: readonly string[], separator = ",") =>
  cells.map((cell, i) => `2024-03-${String(i + 4).padStart(2, "0")}${separator}${cell}`).join("\n");
const values = (text: string, options = {}) =>
  read(text, options).points.map((point) => Object.values(point)[1]);

describe("numbers", () => {
  const cases: [string, string, readonly number[]][] = [
    ["decimal commas", `t;v\n${days(["100,5", "1,25"], ";")}`, [100.5, 1.25]],
    ["decimal commas with points", `t;v\n${days(["1.000,5", "999,5"], ";")}`, [1000.5, 999.5]],
    ["blanks between thousands", `t;v\n${days(["12\u202f345,5", "999,5"], ";")}`, [12345.5, 999.5]],
    ["apostrophes", `t;v\n${days(["12'345.5", "999.5"], ";")}`, [12345.5, 999.5]],
    ["quoted thousands", `t,v\n${days(['"1,234.5"', '"999.5"'])}`, [1234.5, 999.5]],
    ["millions", `t;v\n${days(["1.234.567", "999"], ";")}`, [1234567, 999]],
    ["three decimals between commas", `t,v\n${days(["20.125", "21.250"])}`, [20.125, 21.25]],
    ["a zero before three decimals", `t;v\n${days(["0.125", "1.250"], ";")}`, [0.125, 1.25]],
    ["percent", `t,v\n${days(["5 %", "6 %"])}`, [5, 6]],
    ["currency", `t,v\n${days(["$5", "-$6"])}`, [5, -6]],
    ["units", `t,v\n${days(["5 kWh", "6 kWh"])}`, [5, 6]],
    ["a currency of several letters", `t;v\n${days(["R$ 1.500,25", "R$ 6,50"], ";")}`, [1500.25, 6.5]],
    ["any currency sign", `t;v\n${days(["₺5,50", "₺6,75"], ";")}`, [5.5, 6.75]],
    ["a minus before a blank", `t;v\n${days(["- 5", "6"], ";")}`, [-5, 6]],
    ["a minus behind them", `t,v\n${days(["5-", "6"])}`, [-5, 6]],
    ["brackets", `t,v\n${days(["(5)", "6"])}`, [-5, 6]],
    ["exponents", `t,v\n${days(["1e3", "-2.5E-1"])}`, [1000, -0.25]],
    ["errors of spreadsheets", `t,v\n${days(["#DIV/0!", "#NV", "#REF!", "#WERT!", "7"])}`, [7]],
    ["a point for a missing value", `t,v\n${days(["6.5", ".", "7.5"])}`, [6.5, 7.5]],
    ["missing words", `t,v\n${days(["#N/A", "\\N", "NULL", "unavailable", "7"])}`, [7]],
    ["further ones", `t,v\n${days(["missing", "n/d", ":", "fehlt", "no data", "7"])}`, [7]],
  ]; // biome-ignore format: a table
  test.each(cases)("%s", (_name, text, numbers) => expect(values(text)).toEqual([...numbers]));

  const refused: [string, string, string][] = [
    ["thousands or decimals", `t;v\n${days(["800", "1.028"], ";")}`, `--decimal: is needed: column v holds "1.028", which can be read in two ways: --decimal ., or --decimal , --thousands '.'`],
    ["the same with commas around", `t,v\n${days(["800", "1.028"])}`, "which can be read in two ways"],
    ["quoted commas", `t,v\n${days(['"1,234"', '"800"'])}`, `--decimal . --thousands ',', or --decimal ,`],
    ["two units", `t,v\n${days(["5 ms", "1 s"])}`, 'line 3: column v holds "1 s", in s where others are in ms'],
    ["infinity", `t,v\n${days(["5", "6", "inf"])}`, 'line 4: column v holds "inf", no number: --missing "inf"'],
    ["text", `t,v\n${days(["5", "6", "x7"])}`, 'line 4: column v holds "x7", no number'],
    ["beyond the range", `t,v\n${days(["5", "1e999"])}`, 'line 3: column v holds "1e999", beyond the range of numbers'],
    ["thousand times", `t,v\n${days(["5", "6", "7 k"])}`, 'column v holds "7 k", no number'],
  ]; // biome-ignore format: a table
  test.each(refused)("refuses %s", (_name, text, message) => expect(refusal(text)).toContain(message));

  test("options decide", () => {
    const text = `t;v\n${days(["800", "1.028"], ";")}`;
    expect(values(text, { decimal: "." })).toEqual([800, 1.028]);
    expect(values(text, { decimal: ",", thousands: "." })).toEqual([800, 1028]);
    expect(values(`t,v\n${days(["5", "broken"])}`, { missing: ["Broken"] })).toEqual([5]);
    expect(refusal(text, { decimal: ";" })).toBe("--decimal: must be . or ,");
    expect(refusal(text, { decimal: ",", thousands: "," })).toBe("--thousands: must differ from --decimal");
  });

  test("what is left out is said", () => {
    const text = `t,v,p,n\n2024-03-04,#N/A,5 %,(2)\n2024-03-05,6,5 %,3`;
    expect(read(text).notes).toEqual([
      "n: numbers in brackets are negative",
      "p: % is left out",
      "cells read as missing: #N/A 1",
    ]);
    const marked = `t,v\n${days(["-999", "5", "-999.0"])}`;
    expect(read(marked).notes).toEqual([
      "v: -999 is read as a number, 2 times: if it means missing, name it as a word for that",
    ]);
    expect(read(`t,v\n${days(["12345678901234567", "5"])}`).notes).toEqual([
      "v: numbers of more than 15 digits are rounded",
    ]);
    expect(read(marked, { missing: ["-999", "-999.0"] }).points).toHaveLength(1);
  });
});

describe("behind the part that the reading is chosen from", () => {
  /** A first part of minutes, and then rows of seconds. */
  const text = (header: string, row: (i: number) => string, last: string) => {
    const at = (i: number) => new Date(Date.UTC(2024, 0, 1) + 60_000 * i).toISOString();
    const first = Array.from({ length: 45_000 }, (_, i) => `${at(i)};${row(i)}`);
    return { first: [header, ...first, ""].join("\n"), last: `${at(50_000)};${last}\n` };
  };
  const readParts = ({ first, last }: { first: string; last: string }, options = {}) => {
    const table = new CsvTable({ nowAt: Date.UTC(2026, 0, 1), flags: csvFlags, ...options });
    return [...table.push(first), ...table.push(last), ...table.end()];
  };

  test("a point that may group thousands is asked about", () => {
    const parts = text("time;v", (i) => `${i % 900}`, "1.028");
    expect(() => readParts(parts)).toThrow('column v holds "1.028", which can be read in two ways');
    expect(readParts(parts, { decimal: "." }).at(-1)).toMatchObject({ v: 1.028 });
    expect(readParts(text("time;v", (i) => `${i % 900}`, "10.25")).at(-1)).toMatchObject({ v: 10.25 });
  });

  test("a chosen column that is empty has the decimal separator of the others", () => {
    const parts = text("time;v;w", (i) => `${i},5;`, "1,5;2,5");
    expect(readParts(parts, { columns: ["v", "w"] }).at(-1)).toMatchObject({ v: 1.5, w: 2.5 });
  });

  test("values of a column that was empty are not lost", () => {
    const parts = text("time;v;w", (i) => `${i};`, "1;2");
    expect(() => readParts(parts)).toThrow('column w holds "2", not written as the others: set --columns');
    expect(readParts(parts, { columns: ["v", "w"] }).at(-1)).toMatchObject({ v: 1, w: 2 });
  });
});

describe("lines around the points", () => {
  const body = days(["1", "2"]);
  const cases: [string, string][] = [
    ["a separator line", `sep=;\ntime;value\n${days(["1", "2"], ";")}`],
    ["tabs", `sep=\t\ntime\tvalue\n${days(["1", "2"], "\t")}`],
    ["comments", `# exported\n# it's "odd\ntime,value\n${body}`],
    ["comments below", `time,value\n${body}\n# end of file`],
    ["a title", `Monthly report\n\ntime,value\n${body}`],
    ["a title as wide", `Report,2024\ntime,value\n${body}`],
    ["units", `time,value\n[UTC],°C\n${body}`],
    ["units of no list", `time,value\nYYYY-MM-DD,m3/s per gate\n${body}`],
    ["units and kinds of means", `time,value\nTS,Volts\n,Avg\n${body}`],
    ["types", `time,value\nDateTime64(3),Nullable(Float64)\n${body}`],
    ["separators at the end", `time,value,\n${days(["1,", "2,"])}`],
    ["separators that the header lacks", `time,value\n${days(["1,", "2,"])}`],
    ["a header once more", `time,value\n${days(["1"])}\ntime,value\n2024-03-05,2`],
    ["no header", body],
    ["a header in a comment", `# time,value\n${body}`],
    ["carriage returns", `time,value\n${body}`.replaceAll("\n", "\r")],
    ["a byte order mark", `\ufefftime,value\n${body}`],
    ["a drawn table", `| time | value |\n|---|---|\n${body.replace(/^(.*),(.*)$/gm, "| $1 | $2 |")}`],
    ["a table of psql", `time | value\n-----+------\n${body.replaceAll(",", " | ")}\n(2 rows)\n`],
    [
      "a table of a database",
      `+---+---+\n| time | value |\n+---+---+\n${body.replace(/^(.*),(.*)$/gm, "| $1 | $2 |")}\n+---+---+`,
    ],
    [
      "the time a query took",
      `time | value\n-----+------\n${body.replaceAll(",", " | ")}\n(2 rows)\n\nTime: 1.25 ms`,
    ],
    [
      "a box",
      `┌──────┬───────┐\n│ time │ value │\n├──────┼───────┤\n${body.replace(/^(.*),(.*)$/gm, "│ $1 │ $2 │")}\n└──────┴───────┘`,
    ],
    [
      "columns below dashes",
      "time              value\n----------------  -----\n2024-03-04 00:00  1\n2024-03-05 00:00  2",
    ],
    [
      "columns below dashes, some empty",
      "time        other  value\n----------  -----  -----\n2024-03-04         1\n2024-03-05         2\n\n(2 rows affected)",
    ],
    [
      "units, origins and dates",
      `,value,note\nUnit,EUR,\nScale,1,\nAs of,28.02.2024 10:05,\n${days(["1,", "2,provisional"])}`,
    ],
    ["the name of an index", `Price,value\nTicker,AAA\nDate,\n${body}`],
    ["widths of columns", `time\tvalue\n20d\t14n\n${days(["1", "2"], "\t")}`],
    ["zeros of a logger", `time,value\n${body}\n\0\0\0\0`],
    ["texts that a spreadsheet keeps", `time,value\n="2024-03-04",1\n="2024-03-05",="2"`],
    ["a number of rows below", `time,value\n${body}\n\n(2 rows affected)\n`],
    ["a number of records below", `time,value\n${body}\n\n  2 record(s) selected.\n`],
    ["a number of rows and a time below", `time,value\n${body}\n2 rows in set (0.00 sec)\n`],
    ["quoted line ends", `"time","value"\n${body}`],
    [
      "a row of texts without time and values",
      "time,event,value\n2024-03-04,log,1\n,Name,\n2024-03-05,log,2",
    ],
    ["empty lines", `time,value\n\n${body}\n,\n`],
  ];
  test.each(cases)("%s", (_name, text) => {
    expect(lines(text)).toEqual(["2024-03-04T00:00:00Z value=1", "2024-03-05T00:00:00Z value=2"]);
  });

  const noted: [string, string, string][] = [
    ["a source", "\nSource: National Grid, ESO\n", "1 row of text below the points skipped"],
    ["several of them", "Data from database: WDI,\nLast updated:,2024-04-01\n© agency\n* provisional", "4 rows of text"],
    ["some beside a total", "Total,21\nSource: agency", "1 row of totals or averages skipped, 1 row of text"],
  ]; // biome-ignore format: a table
  test.each(noted)("footnotes are left out and counted: %s", (_name, below, told) => {
    const { points, notes } = read(`t,v\n${days(["6", "7", "8"])}\n${below}`);
    expect(points.map(({ v }) => v)).toEqual([6, 7, 8]);
    expect(notes.join(", ")).toContain(told);
  });

  const noNotes: [string, string, string][] = [
    ["a text among the rows", `broken line\n2024-03-19,9`, `line 8: has 1 cells, the header has 2: remove it if it is cut off, or add its empty cells; --missing "broken line" leaves it out`],
    ["a text beside a number", "host x,12.5", 'line 8: column t holds "host x", no time'],
    ["a row that is cut off", "2024-03-0", "line 8: has 1 cells, the header has 2"],
    ["a row of a series that is cut off", "host x,2024-03-0", 'line 8: column t holds "host x"'],
    ["more than twenty", "text\n".repeat(21), "line 8: has 1 cells"],
  ]; // biome-ignore format: a table
  test.each(noNotes)("no footnote is %s", (_name, below, message) => {
    const rows = days(["6", "7", "8", "9", "8", "7"]);
    expect(refusal(`t,v\n${rows}\n${below}`)).toContain(message);
  });

  test("footnotes of a file that comes in pieces are counted", () => {
    const rows = Array.from({ length: 40_000 }, (_, i) => `${1_700_000_000 + 60 * i},${i % 7}`);
    const { points, notes } = read(`t,v\n${rows.join("\n")}\nSource: agency`);
    expect(points).toHaveLength(40_000);
    expect(notes).toContain("1 row of text below the points skipped");
  });

  const ofR: [string, string][] = [
    ["commas", '"date","v"\n"1","2024-03-04",6\n"2","2024-03-05",7\n"3","2024-03-06",8'],
    ["blanks", '"date" "v"\n"1" "2024-03-04 00:00" 6\n"2" "2024-03-05 00:00" 7\n"3" "2024-03-06 00:00" 8'],
  ];
  test.each(
    ofR,
  )("tables of R have no name above the numbers of their rows: separated by %s", (_name, text) => {
    expect(lines(text)).toEqual([6, 7, 8].map((v, i) => `2024-03-0${4 + i}T00:00:00Z v=${v}`));
  });

  test("a header that names the numbers of rows lacks another name", () => {
    expect(refusal("id,date\n1,2024-03-04,6\n2,2024-03-05,7")).toContain('column id holds "1"');
  });

  test("comments stay comments where they are more than the points", () => {
    const text =
      "t,v\n2024-03-03,1\n# a\n# b\n2024-03-04,1\n# c\n#2024-03-02,7\n#2024-03-01,6\n#2024-02-29,5\n";
    const { points, notes } = read(text);
    expect(points).toHaveLength(2);
    expect(notes).toContain("6 lines of comment skipped");
  });

  test("numbers of orders that begin with # are no comments", () => {
    const rows = [
      "#1001,2024-03-04 09:30:00 +0100,9.5",
      "#1002,2024-03-04 10:00:00 +0100,7",
      "#1003,2024-03-05 08:00:00 +0100,8",
    ];
    expect(lines(`Name,Created at,Total\n${rows.join("\n")}\n# exported by hand`)).toEqual([
      "2024-03-04T08:30:00Z Total=9.5",
      "2024-03-04T09:00:00Z Total=7",
      "2024-03-05T07:00:00Z Total=8",
    ]);
  });

  test("rows of totals and averages are left out and counted, whatever the form of their numbers", () => {
    const text = `Datum;v\n04.03.2024;1501,5\n05.03.2024;1502,5\n06.03.2024;3,5\nSumme;3.007,50\nMittelwert\n;\n`;
    const { points, notes } = read(text);
    expect(points.map(({ v }) => v)).toEqual([1501.5, 1502.5, 3.5]);
    expect(notes).toContain("2 rows of totals or averages skipped");
    expect(notes).toContain("1 row without values skipped");
    expect(refusal(`time,v\n${days(["1", "2", "3", "4", "5"])}\nTotally wrong,3`)).toContain(
      'line 7: column time holds "Totally wrong"',
    );
    const ofSeries = "name,time,v\nmax,2024-03-04,1\nmin,2024-03-04,2";
    expect(lines(ofSeries)).toEqual([
      "2024-03-04T00:00:00Z v=1 name:max",
      "2024-03-04T00:00:00Z v=2 name:min",
    ]);
  });

  test("lines before the header are told, each once", () => {
    expect(read(`Plant 7\nExported,2026\n\ntime,value\n${body}`).notes).toEqual([
      "1 line before the header is left out: Plant 7",
      "1 line before the header is left out: Exported 2026",
    ]);
  });

  test("lines that an option skips", () => {
    expect(lines(`x,y\n1,2\ntime,v\n${body}`, { skipLines: 2 })).toHaveLength(2);
    expect(lines(body, { header: ["at", "load"] })[0]).toBe("2024-03-04T00:00:00Z load=1");
    expect(read(`time,v\n${body}\nTotal,3`, { missing: ["total"] }).notes).toEqual([
      "1 row skipped, without a time",
    ]);
  });

  test("names that are given twice are numbered, columns without a name are left out", () => {
    const { points, notes } = read("time,v,v,\n2024-03-04,1,2,3");
    expect(points[0]).toEqual({ timestamp: 1709510400, v: 1, v_2: 2 });
    expect(notes).toEqual([
      "several columns are named v: one of them is read as v_2",
      "skipped columns, without a name: column 4",
    ]);
  });

  test("a hundred thousand columns are refused, ten thousand of one name are numbered", () => {
    const wide = (width: number) => `time${",c".repeat(width)}\n2024-03-04${",1".repeat(width)}`;
    expect(refusal(wide(100_000))).toBe(
      "header: has 100001 columns, at most 10000 are possible: check --delimiter",
    );
    const { points, notes } = read(wide(9_999));
    expect(Object.keys(points[0]!).slice(-2)).toEqual(["c_9998", "c_9999"]);
    expect(notes.slice(-2)).toEqual([
      "several columns are named c: one of them is read as c_21",
      "9978 more columns share a name with another",
    ]);
  });

  test("names of two lines are joined where the second ones alone repeat", () => {
    const rows = "2024-03-04,1,2,3,4\n2024-03-05,5,6,7,8";
    const names = ["room1 temp", "room1 hum", "room2 temp", "room2 hum"];
    for (const header of [
      ",room1,room1,room2,room2\ntime,temp,hum,temp,hum",
      "time,room1,,room2,\n,temp,hum,temp,hum",
    ]) {
      const { points, notes } = read(`${header}\n${rows}`);
      expect(points).toHaveLength(2);
      expect(Object.keys(points[0]!).filter((name) => name.startsWith("room"))).toEqual(names);
      expect(notes.join()).toContain("joined from two lines");
    }
  });

  const aligned: [string, string][] = [
    ["runs of blanks", "date        time    v\n2024-03-04  10:00   1.5\n2024-03-05  10:00  12.5"],
    ["blanks at both ends", "     date   time    v  \n2024-03-04  10:00   1.5\n2024-03-05  10:00  12.5 "],
    ["single blanks", "date time v\n2024-03-04 10:00 1.5\n2024-03-05 10:00 12.5"],
    ["decimal commas", "date        time    v\n2024-03-04  10:00   1,5\n2024-03-05  10:00  12,5"],
    ["quotes", 'time                v\n"2024-03-04 10:00"   1.5\n"2024-03-05 10:00"  12.5'],
  ];
  test.each(aligned)("columns aligned by %s are told apart, guessed or given", (_name, text) => {
    const expected = ["2024-03-04T10:00:00Z v=1.5", "2024-03-05T10:00:00Z v=12.5"];
    expect(lines(text)).toEqual(expected);
    expect(lines(text, { delimiter: " " })).toEqual(expected);
  });

  test("a title above aligned columns asks for the blank, and a hole in them is refused", () => {
    const title = "Station 12345 of the west\ndate        time    v\n2024-03-04  10:00   1.5";
    expect(refusal(title)).toContain("check --delimiter");
    expect(lines(title, { delimiter: " " })).toEqual(["2024-03-04T10:00:00Z v=1.5"]);
    const hole = "date        time    v\n2024-03-04  10:00\n2024-03-05  10:00  12.5";
    expect(refusal(hole, { delimiter: " " })).toContain("line 2: has 2 cells, the header has 3");
  });

  test("blanks beside another separator separate nothing", () => {
    const expected = ["2024-03-04T10:00:00Z v=1", "2024-03-05T10:00:00Z v=2"];
    expect(lines("Date Time,   v\n2024-03-04 10:00,   1,\n2024-03-05 10:00,   2,")).toEqual(expected);
    expect(lines("Date Time;v\n2024-03-04 10:00;1\n2024-03-05 10:00;2")).toEqual(expected);
  });

  const refused: [string, string, string][] = [
    ["nothing", "", "line 1: is missing: the file is empty"],
    ["a header alone", "time,value\n", "file: holds no points below its header"],
    ["one column", "v\n1\n2", "header: has no column besides the time: check --delimiter"],
    ["blanks in a time alone", "Date Time\n2024-03-04 10:00\n2024-03-05 10:00", "check --delimiter"],
    ["a short line", `time,a,b\n2024-03-04,1,2\n2024-03-05,1`, "line 3: has 2 cells, the header has 3: remove it if it is cut off, or add its empty cells"],
    ["short lines alone", "time,a,b\n2024-03-04,1\n2024-03-05,2", "line 2: has 2 cells, the header has 3"],
    ["a text that goes on into the next column", "time        v\n----------  ---\n2024-03-04  1\n2024-03-05 5 2", "line 4: has 1 cells, the header has 2"],
    ["names below others", "Name,Unit,Start Date\nAda,kg,x\nNo,Date,v\n1,2024-03-04,5\n2,2024-03-05,6", "line 2"],
    ["a row of values above the days", `time,v\nClosed,5\n${days(["1", "2", "3", "4", "5"])}`, 'line 2: column time holds "Closed"'],
    ["decimal commas between commas", `time,a\n2024-03-04,1\n2024-03-05,1,2`, "line 3: has 3 cells, the header has 2: a number with a comma, as 1,2, needs quotes, or another separator"],
    ["thousands between commas", `time,a\n2024-03-04,1\n2024-03-05,"1",234.5`, "a number with a comma, as 1,234.5, needs quotes"],
    ["a header narrower than all rows", `time,a,b\n${days(["1,5,60,2", "1,6,60,3"])}`, "line 2: has 5 cells, the header has 3: a number with a comma, as 1,5"],
    ["a header wider than most rows", `time,a,b\n${days(["1", "2", "3,4", "5"])}`, "line 2: has 2 cells, the header has 3"],
    ["a comma within a text", `time,note,a\n2024-03-04,ok,1\n2024-03-05,a, b,2`, "line 3: has 4 cells, the header has 3: a text that holds the separator needs quotes; check --delimiter"],
    ["a comma within a text or number", `time,note,a,b\n2024-03-04,ok,1,2\n2024-03-05,x,1,2,3`, "a text that holds the separator needs quotes; a number with a comma, as 1,2"],
    ["too many cells", `time;a\n2024-03-04;1\n2024-03-05;1;2`, "line 3: has 3 cells, the header has 2: check --delimiter"],
    ["a sum without a time", "time,v\n2024-03-04,1\n,9", "line 3: has values, but column time is empty: remove the line"],
    ["a column for each month", "Year,Jan,Feb,Mar\n2024,1,2,3\n2025,4,5,6", 'header: names columns by times, as "Jan", "Feb", "Mar": give each time a row, or name the columns to read in --columns'],
    ["a column for each day", "Shop,2024-03-04,2024-03-05,2024-03-06\nBerlin,1,2,3", 'header: names columns by times, as "2024-03-04"'],
    ["a column for each hour", "date,00:00,01:00,02:00\n2024-03-04,1,2,3", "header: names columns by times"],
    ["durations alone", "date,duration\n2024-03-04,00:25:30\n2024-03-05,00:26:00", 'column duration holds "00:25:30"'],
    ["numbers and text", "time,v\n2024-03-04,900\n2024-03-05,1.5k\n2024-03-06,1.7k", 'line 2: holds no number beside the time: column v holds "1.5k"'],
    ["text alone", "time,state\n2024-03-04,idle\n2024-03-05,busy", 'line 2: holds no number beside the time: column state holds "idle"'],
  ]; // biome-ignore format: a table
  test.each(refused)("refuses %s", (_name, text, message) => expect(refusal(text)).toContain(message));
});

describe("two states", () => {
  const pairs = ["on,off", "True,False", "OPEN,CLOSED", "up,down", "yes,no", "An,Aus", "ja,nein", "auf,zu"];
  test.each(pairs)("%s are 1 and 0, and said to be", (pair) => {
    const [one, zero] = pair.split(",") as [string, string];
    const { points, notes } = read(`time,door,temp\n${days([`${one},5`, `${zero},6`, `unavailable,7`])}`);
    expect(points.map(({ door }) => door)).toEqual([1, 0, undefined]);
    expect(notes[0]).toBe(`door: ${one.toLowerCase()} is read as 1, ${zero.toLowerCase()} as 0`);
  });

  test("a binary sensor needs no other number, and may stay in one state", () => {
    const text = "entity_id,state,last_changed\na,off,2026-04-24T10:00:01Z\na,off,2026-04-24T11:00:00Z";
    expect(lines(text)).toEqual(["2026-04-24T10:00:01Z state=0", "2026-04-24T11:00:00Z state=0"]);
  });

  test("an export of entities has numbers and states, each of its own", () => {
    const at = (i: number) => `2026-04-24T10:00:0${i}Z`;
    const text = (cells: readonly string[]) =>
      `entity_id,state,last_changed\n${cells.map((cell, i) => `${cell},${at(i)}`).join("\n")}`;
    const both = text(["lamp,on", "t,20.5", "lamp,off", "door,on", "t,unavailable", "t,21"]);
    expect(lines(both).map((line) => line.slice(21))).toEqual([
      "state=1 entity_id:lamp",
      "state=20.5 entity_id:t",
      "state=0 entity_id:lamp",
      "state=1 entity_id:door",
      "state=21 entity_id:t",
    ]);
    expect(read(both).notes).toContain("state: on is read as 1, off as 0");
    // A heater that is off has no temperature of 0.
    expect(refusal(text(["t,20.5", "t,off", "t,21"]))).toContain('column state holds "off", no number');
  });

  test("one word alone may be a name, unless it is on, off, true or false", () => {
    expect(read(`time,name,v\n${days(["up,1", "up,2"])}`).notes).toEqual(["skipped columns of text: name"]);
  });

  test("options name the columns, and words that tell apart rows of one time are tags", () => {
    const text =
      "time,door,n\n2024-03-04,open,5\n2024-03-04,closed,6\n2024-03-05,open,7\n2024-03-05,closed,8";
    expect(lines(text)[1]).toBe("2024-03-04T00:00:00Z n=6 door:closed");
    expect(lines(`time,door,n\n${days(["open,5", "closed,6"])}`, { columns: ["door"] })[1]).toBe(
      "2024-03-05T00:00:00Z door=0",
    );
  });

  test("further words leave a column text, or are refused far below", () => {
    const text = `time,door,n\n${days(["open,5", "closed,6", "tilted,7"])}`;
    expect(read(text).notes).toEqual(["skipped columns of text: door"]);
    const pair = "2024-03-04,open\n2024-03-04,closed\n";
    const [head, last] = [`time,door\n${pair.repeat(35_000)}`, "2024-03-05,tilted\n"];
    const table = new CsvTable({ nowAt: Date.UTC(2026, 0, 1), flags: csvFlags, onDuplicate: "last" });
    expect([...table.push(head)]).toHaveLength(70_000);
    expect(errorOf(() => [...table.push(last)]).message).toBe(
      'line 70002: column door holds "tilted", neither open nor closed as the others: --missing "tilted" reads it as missing',
    );
  });
});

describe("other forms are refused by what they are", () => {
  const bytes = (hex: string) => new TextDecoder("windows-1252").decode(Buffer.from(hex, "hex"));
  const cases: [string, string, string][] = [
    ["a ZIP archive", `${bytes("504b030414000000")}points.csv`, "is compressed, or an archive, no CSV: unpack it"],
    ["gzip", bytes("1f8b0800000000000003"), "is compressed, or an archive"],
    ["zstd", bytes("28b52ffd0458"), "is compressed, or an archive"],
    ["xz", bytes("fd377a585a00"), "is compressed, or an archive"],
    ["a workbook", `${bytes("504b030414000600")}[Content_Types].xml`, "is a workbook, no CSV: save its sheet as CSV"],
    ["an old workbook", bytes("d0cf11e0a1b11ae1"), "is a workbook"],
    ["Parquet", bytes("5041523115041500"), "is binary, no CSV: export it as CSV"],
    ["a page", "<!DOCTYPE html>\n<table>", "is HTML or XML"],
    ["a list of points", '[\n {"timestamp": 1, "v": 2}]', "is JSON, no CSV: torus write-bucket takes"],
    ["lines of JSON", '{"time":"2024-03-04","v":1}\n', "is JSON"],
    ["line protocol", "cpu,host=a load=1,user=2 1709510400000000000\n", "is line protocol, no CSV: post it to /write"],
    ["a report", "Linux 6.1.0 (web1) \t03/04/24 \t_x86_64_\t(4 CPU)\n\n12:00:01 CPU %user", "is a report of sar, no CSV: export it with sadf -d"],
    ["disks", "Linux 6.1.0 (web1) \t03/04/24 \t_x86_64_\t(4 CPU)\n\navg-cpu:  %user", "is a report of iostat or vmstat, no CSV: let Telegraf send"],
    ["disks by time", "Linux 6.1.0 (web1) \t03/04/24 \t_x86_64_\t(4 CPU)\n\n03/04/24 12:00:01\navg-cpu:  %user", "is a report of iostat"],
    ["disks alone", "Device             tps    kB_read/s\nsda 1 2", "is a report of iostat"],
    ["memory", "procs -----------memory---------- ---swap--\n r  b   swpd   free", "is a report of iostat or vmstat, no CSV: let Telegraf send"],
    ["memory without titles", " r  b   swpd   free\n 1  0      0 235000", "is a report of iostat or vmstat"],
    ["requests", '10.0.0.1 - frank [04/Mar/2024:00:00:00 +0000] "GET /a?b=1,2 HTTP/1.1" 200 23\n', "is an access log, no CSV: let Telegraf send its figures"],
    ["requests of hosts", 'a.example 10.0.0.1 - - [04/Mar/2024:00:00:00 +0000] "GET / HTTP/1.1" 200 23\n', "is an access log"],
    ["requests by fields", "#Version: 1.0\r\n#Fields: date time cs-method sc-status\r\n2024-03-04 00:00:00 GET 200\r\n", "is an access log"],
    ["messages", "Mar  4 00:00:00 web1 sshd[17]: Accepted key, port 22\n", "is a system log, no CSV: let Telegraf send its figures"],
    ["messages with years", "2024-03-04T00:00:00.123456+01:00 web1 systemd[1]: Started.\n", "is a system log"],
    ["an exposition", "# HELP up Whether it is up.\n# TYPE up gauge\nup 1\n", "is an exposition of Prometheus"],
  ]; // biome-ignore format: a table
  test.each(cases)("%s", (_name, text, message) => expect(refusal(text)).toStartWith(`file: ${message}`));

  test("times of access logs in a column of their own are read", () => {
    expect(lines("at,v\n[04/Mar/2024:00:00:00 +0000],5")).toEqual(["2024-03-04T00:00:00Z v=5"]);
  });

  test("names in angle brackets are those of columns", () => {
    expect(lines("<DATE>,<CLOSE>\n20240304,5")).toEqual(["2024-03-04T00:00:00Z <CLOSE>=5"]);
  });
});

describe("series", () => {
  const shops = ["time,shop,note,v"];
  for (let i = 4; i < 10; i++)
    shops.push(`2024-03-0${i},north,a${i},${i}`, `2024-03-0${i},south,b${i},${-i}`);

  test("text that tells apart rows of one time becomes a tag", () => {
    const { points, notes } = read(shops.join("\n"));
    expect(points).toHaveLength(12);
    expect(points[1]).toEqual({ timestamp: 1709510400, v: -4, tags: { shop: "south" } });
    expect(notes).toEqual(["shop: 2 values, a series each", "skipped columns of text: note"]);
  });

  test("names of sensors are tags where rows never collide", () => {
    const text =
      "entity_id,state,last_changed\na,1,2026-04-24T10:00:01Z\nb,9,2026-04-24T10:00:02Z\na,2,2026-04-24T10:00:03Z\nb,unavailable,2026-04-24T10:00:04Z";
    expect(lines(text).map((line) => line.slice(21))).toEqual([
      "state=1 entity_id:a",
      "state=9 entity_id:b",
      "state=2 entity_id:a",
    ]);
  });

  test("numbers of sensors are tags where their column is named as an id", () => {
    const rows = ["2024-03-04,17,5", "2024-03-05,18,50", "2024-03-06,17,6", "2024-03-07,18,60"];
    expect(lines(`time,sensor_id,v\n${rows.join("\n")}`)[1]).toBe("2024-03-05T00:00:00Z v=50 sensor_id:18");
    expect(lines(`time,stationId,v\n${rows.join("\n")}`)[0]).toEndWith("v=5 stationId:17");
    expect(lines(`time,fluid,v\n${rows.join("\n")}`)[0]).toEndWith("fluid=17 v=5");
    const asked = lines(`time,sensor_id,v\n${rows.join("\n")}`, { columns: ["sensor_id"] });
    expect(asked[0]).toEndWith("sensor_id=17");
  });

  test("a long table has a field for each quantity", () => {
    const text = "time,metric,value\n2024-03-04,cpu,1\n2024-03-04,mem,2\n2024-03-05,cpu,3\n2024-03-05,mem,4";
    expect(lines(text)).toEqual([
      "2024-03-04T00:00:00Z cpu=1",
      "2024-03-04T00:00:00Z mem=2",
      "2024-03-05T00:00:00Z cpu=3",
      "2024-03-05T00:00:00Z mem=4",
    ]);
  });

  test("types below names that tell no time leave the names", () => {
    const text = `t,v\n"DateTime","Float64"\n${days(["1"])}`;
    expect(lines(text)).toEqual(["2024-03-04T00:00:00Z v=1"]);
  });

  test("a row of names is no row of units", () => {
    const body = days(["1,2", "3,4"]);
    const wider = `a title,of 2024\nTime,value,other\n${body}`;
    expect(lines(wider)[0]).toBe("2024-03-04T00:00:00Z value=1 other=2");
    const dated = `Levels,2024-03-09 10:00,by me\nStamp,value,other\n${body}`;
    expect(refusal(dated)).toContain('column Levels holds "Stamp"');
    const bare = `Levels,x,by me\nTime,value,\n${body}`;
    expect(refusal(bare)).toContain('column Levels holds "Time"');
  });

  test("a file of Flux without annotations is read as one with them", () => {
    const text = [
      ",result,table,_start,_stop,_time,_value,_field,_measurement,host",
      ",,0,2024-03-01T00:00:00Z,2024-03-05T00:00:00Z,2024-03-04T00:00:00Z,1,load,cpu,a",
      ",,1,2024-03-01T00:00:00Z,2024-03-05T00:00:00Z,2024-03-04T00:00:00Z,2,load,cpu,b",
      ",,2,2024-03-01T00:00:00Z,2024-03-05T00:00:00Z,2024-03-04T00:00:00Z,3,idle,cpu,b",
    ];
    expect(lines(text.join("\n"))).toEqual([
      "2024-03-04T00:00:00Z load=1 _measurement:cpu host:a",
      "2024-03-04T00:00:00Z load=2 _measurement:cpu host:b",
      "2024-03-04T00:00:00Z idle=3 _measurement:cpu host:b",
    ]);
  });

  test("an annotated file has its group key as tags", () => {
    const text = [
      "#group,false,false,true,false,false,true,true",
      "#datatype,string,long,dateTime:RFC3339,dateTime:RFC3339,double,string,string",
      "#default,mean,,,,,,",
      ",result,table,_start,_time,_value,_field,host",
      ",,0,2024-03-01T00:00:00Z,2024-03-04T00:00:00Z,1,load,a",
      "",
      "#group,false,false,true,false,false,true,true",
      "#datatype,string,long,dateTime:RFC3339,dateTime:RFC3339,double,string,string",
      "#default,mean,,,,,,",
      ",result,table,_start,_time,_value,_field,host",
      ",,1,2024-03-01T00:00:00Z,2024-03-04T00:00:00Z,2,load,b",
    ];
    expect(lines(text.join("\r\n"))).toEqual([
      "2024-03-04T00:00:00Z load=1 host:a",
      "2024-03-04T00:00:00Z load=2 host:b",
    ]);
  });

  const flux = (names: string, ...rows: readonly string[]) => [
    `#group,false,false,false,false,true${",true".repeat(names.split(",").length - 1)}`,
    "#datatype,string,long,dateTime:RFC3339,double,string",
    "#default,_result,,,,",
    `,result,table,_time,_value,${names}`,
    ...rows.map((row) => `,,0,2024-03-04T00:00:0${row}`),
  ];

  test("tables of a file of Flux have columns of their own, in their own order", () => {
    const wider = flux("_field,cpu,host", "0Z,2,idle,cpu0,a", "1Z,3,idle,cpu0,a");
    const tables = [flux("_field,host", "0Z,1,used,b"), wider, flux("host,_field", "1Z,4,a,used")];
    const found = [
      "2024-03-04T00:00:00Z used=1 host:b",
      "2024-03-04T00:00:00Z idle=2 host:a cpu:cpu0",
      "2024-03-04T00:00:01Z idle=3 host:a cpu:cpu0",
      "2024-03-04T00:00:01Z used=4 host:a",
    ];
    expect(lines(tables.flat().join("\n"))).toEqual(found);
    expect(
      lines(
        tables
          .flat()
          .filter((row) => !row.startsWith("#"))
          .join("\n"),
      ),
    ).toEqual(found);
    expect(refusal([...tables.flat(), ",,0,2024-03-04T00:00:02Z,1"].join("\n"))).toContain(
      "has 5 cells, the header has 7",
    );
  });

  test("a column that only a table far below has is refused", () => {
    const rows = Array.from(
      { length: 60_000 },
      (_, i) => `,,0,${new Date(1e12 + 1000 * i).toISOString()},1,a`,
    );
    const table = new CsvTable({ nowAt: Date.UTC(2026, 0, 1), flags: csvFlags });
    expect([...table.push(`,result,table,_time,_value,_field\n${rows.join("\n")}\n`)]).toHaveLength(60_000);
    expect(errorOf(() => [...table.push(",result,table,_time,_value,_field,host\n")]).message).toBe(
      "line 60002: has a column host that no table of the first million characters has: put it first",
    );
  });

  test("rows of one time are refused, or counted", () => {
    const text = "time,v\n2024-03-04,1\n2024-03-05,2\n2024-03-05,3";
    expect(refusal(text)).toBe(
      'line 4: a second value of v at "2024-03-05", 2024-03-05T00:00:00.000Z: --on-duplicate last or first keeps one',
    );
    const last = read(text, { onDuplicate: "last" });
    expect(last.table.counts).toMatchObject({ points: 2, duplicates: 1 });
    expect(last.notes).toEqual(["1 row at the time of another one of the series: the last is kept"]);
    expect(values(text, { onDuplicate: "first" })).toEqual([1, 2]);
  });

  test("a number that tells rows apart is named", () => {
    const text = "store,date,sales\n1,2024-03-04,5\n2,2024-03-04,6\n1,2024-03-05,7\n2,2024-03-05,8";
    expect(refusal(text)).toContain("a second value of sales at");
    expect(refusal(text)).toContain("--tag-columns store makes a series of each");
    expect(lines(text, { tagColumns: ["store"] })[1]).toBe("2024-03-04T00:00:00Z sales=6 store:2");
  });
});

test("points do not depend on how the text is cut", () => {
  const text = `time;host;v\n${Array.from({ length: 40 }, (_, i) => `2024-03-04 00:${String(i).padStart(2, "0")};${"ab"[i % 2]};${i},5`).join("\n")}`;
  const whole = read(text).points;
  expect(whole).toHaveLength(40);
  fc.assert(
    fc.property(fc.nat(text.length), (at) => {
      expect(read(text.slice(0, at) + text.slice(at)).points).toEqual(whole);
    }),
    { numRuns: 5 },
  );
});

test("each row is a point, or is counted", () => {
  const cell = fc.oneof(fc.integer({ min: -999, max: 999 }).map(String), fc.constantFrom("", "NaN", "#N/A"));
  fc.assert(
    fc.property(fc.array(cell, { minLength: 2, maxLength: 28 }), (cells) => {
      fc.pre(cells.some((each) => /\d/.test(each)));
      const { points, table } = read(`time,v\n${days(cells)}`);
      const { counts } = table;
      expect(counts!.points).toBe(points.length);
      expect(counts!.points + counts!.empty).toBe(cells.length);
    }),
  );
});
