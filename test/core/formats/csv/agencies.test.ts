// CSV files as agencies and clouds publish them: comments above names, padded cells, documented missing values.
import { describe, expect, test } from "bun:test";
import { lines, read, refusal } from "./read.ts";

const day = (i: number) => `202409${String(i + 1).padStart(2, "0")}`;
const iso = (i: number) => `2024-09-${String(i + 1).padStart(2, "0")}`;

describe("KNMI: the last comment that holds something has the names", () => {
  const head = "# BRON: KNMI\n#\n# FG : wind (in 0.1 m/s)\n#\n# STN,YYYYMMDD,   FG,   TG";
  const row = (i: number, station = 260) => `  ${station},${day(i)},${i === 1 ? "     " : "   30"},  12${i}`;

  test.each(["\n", "\n#\n", "\n# \n#\n"])("before %j", (end) => {
    const text = `${head}${end}${[0, 1, 2].map((i) => row(i)).join("\n")}`;
    expect(lines(text)).toEqual([
      "2024-09-01T00:00:00Z FG=30 TG=120",
      "2024-09-02T00:00:00Z TG=121",
      "2024-09-03T00:00:00Z FG=30 TG=122",
    ]);
  });

  test("several stations are a series each", () => {
    const text = `${head}\n${[240, 260].flatMap((station) => [0, 2].map((i) => row(i, station))).join("\n")}`;
    expect(lines(text)).toEqual([
      "2024-09-01T00:00:00Z FG=30 TG=120 STN:240",
      "2024-09-03T00:00:00Z FG=30 TG=122 STN:240",
      "2024-09-01T00:00:00Z FG=30 TG=120 STN:260",
      "2024-09-03T00:00:00Z FG=30 TG=122 STN:260",
    ]);
  });
});

test("NOAA: numbers that blanks align within quotes are numbers, and station numbers none", () => {
  const rows = [0, 1].map((i) => `"72503014732","${iso(i)}","  70.${i}"," "," 5.1 "`);
  expect(lines(["STATION,DATE,TEMP,TEMP_ATTRIBUTES,WDSP", ...rows].join("\n"))).toEqual([
    "2024-09-01T00:00:00Z TEMP=70 WDSP=5.1",
    "2024-09-02T00:00:00Z TEMP=70.1 WDSP=5.1",
  ]);
});

test.each([
  "999.9",
  "9999.9",
  "-99.99",
])("%s, which stands for a missing value in many files, is told", (cell) => {
  const { notes } = read(`time,v\n${iso(0)},5.1\n${iso(1)},${cell}`);
  expect(notes.join()).toContain(`v: ${cell} is read as a number, 1 time`);
});

test.each([
  ["999.9", "1001.2"],
  ["99.99", "100.1"],
])("%s among values such as %s is a measurement like them", (cell, other) => {
  expect(read(`time,v\n${iso(0)},${other}\n${iso(1)},${cell}`).notes.join()).not.toContain("missing");
});

test("DWD: -999 is missing, as documented, and told as such", () => {
  const rows = [0, 1, 2].map((i) => `        433;${day(i)};   10; ${i === 1 ? "-999" : " 8.2"};-999.0;eor`);
  const text = ["STATIONS_ID;MESS_DATUM;QN_3;  FX;RSK;eor", ...rows].join("\n");
  expect(lines(text)).toEqual([
    "2024-09-01T00:00:00Z QN_3=10 FX=8.2",
    "2024-09-02T00:00:00Z QN_3=10",
    "2024-09-03T00:00:00Z QN_3=10 FX=8.2",
  ]);
  const { notes } = read(text);
  expect(notes).toContain("cells read as missing: -999 1");
  expect(notes.join()).not.toContain("is read as a number");
});

test("AWS: the row of totals above the days is skipped, and counted", () => {
  const text = `"Service","EC2($)"\n"Service total","99.5"\n"${iso(0)}","40.5"\n"${iso(1)}","59"`;
  expect(lines(text)).toEqual(["2024-09-01T00:00:00Z EC2($)=40.5", "2024-09-02T00:00:00Z EC2($)=59"]);
  expect(read(text).notes).toContain("1 row of totals or averages skipped");
});

test("numbers with commas behind lakhs and crores, as in India", () => {
  const text = `time,v\n${iso(0)},"1,23,400.50"\n${iso(1)},"12,34,56,789"\n${iso(2)},"1,200"`;
  const values = read(text).points.map(({ v }) => v);
  expect(values).toEqual([123_400.5, 123_456_789, 1200]);
  expect(refusal(`time,v\n${iso(0)},"1,23"\n${iso(1)},"1,2,345.5"`)).toContain("column v");
});

test.each([
  "Sums (of 2 values)",
  "Averages (of 2 values)",
  "Summen (von 2 Werten)",
  "Mittelwerte",
])("%s below the rows is left out", (cell) => {
  const text = `Date Time,v\n${iso(0)},1\n${iso(1)},2\n${cell},3`;
  expect(lines(text)).toHaveLength(2);
  expect(read(text).notes).toContain("1 row of totals or averages skipped");
});

test("beside dates with points a point before three digits may group thousands: it is asked for", () => {
  const text = 'time,v\n"01.09.2024","1.100 KByte"\n"02.09.2024","1.101 KByte"';
  expect(refusal(text)).toContain("--decimal");
  expect(read(text, { decimal: ",", thousands: "." }).points[0]!.v).toBe(1100);
  expect(read(text, { decimal: "." }).points[0]!.v).toBe(1.1);
  expect(read(text.replaceAll(".09.2024", "/09/2024").replace("01/", "21/")).points[0]!.v).toBe(1.1);
});

test("ids of rows are no measurement; ids alone, and numbers of another name, are", () => {
  const text = (name: string) => `${name},Date,km\n17,${iso(0)},5.1\n12,${iso(1)},7\n19,${iso(2)},6`;
  expect(lines(text("Activity ID"))[0]).toBe("2024-09-01T00:00:00Z km=5.1");
  expect(read(text("activity_id")).notes).toContain("skipped columns, numbers of rows: activity_id");
  expect(lines(text("load"))[0]).toBe("2024-09-01T00:00:00Z load=17 km=5.1");
  expect(lines(`id,Date\n17,${iso(0)}\n12,${iso(1)}\n19,${iso(2)}`)[0]).toBe("2024-09-01T00:00:00Z id=17");
});

test("glucose: numbers of kinds of rows are no measurement, and rows of one time are told apart by them", () => {
  const head =
    "Glucose Data,Generated on,15-03-2024 10:05 UTC\nDevice,Device Timestamp,Record Type,Historic,Scan";
  const rows = ["00:05,0,5.5,", "00:20,0,5.6,", "00:25,6,,", "00:35,1,,5.9", "00:40,6,,", "00:45,6,,"];
  const text = (cells: readonly string[]) =>
    [head, ...cells.map((cell) => `Libre,14-03-2024 ${cell}`)].join("\n");
  expect(lines(text(rows))).toEqual([
    "2024-03-14T00:05:00Z Historic=5.5",
    "2024-03-14T00:20:00Z Historic=5.6",
    "2024-03-14T00:35:00Z Scan=5.9",
  ]);
  const both = text([...rows, "00:35,0,6.1,6.2"]);
  expect(lines(both).at(-1)).toBe("2024-03-14T00:35:00Z Historic=6.1 Scan=6.2 Record Type:0");
});

test("names of variables of loggers, and tags of sources, are series", () => {
  const cells = ["a,5", "b,6", "a,7", "b,8"];
  const at = (i: number) => `2024-09-01 00:00:0${i}`;
  const text = (name: string, step: number) =>
    `time,${name},v\n${cells.map((cell, i) => `${at(step * (i >> 1) + i * (1 - step))},${cell}`).join("\n")}`;
  expect(lines(text("VarName", 0))[1]).toBe("2024-09-01T00:00:01Z v=6 VarName:b");
  expect(lines(text("source_tag", 1))[1]).toBe("2024-09-01T00:00:00Z v=6 source_tag:b");
});

describe("a pattern that a message proposes reads the cell", () => {
  test.each([
    ["9/1/2024, 12:05:00.250 AM", "2024-01-09T00:05:00.250Z", "2024-09-01T00:05:00.250Z"],
    ["9/1/2024, 1:05:00 PM", "2024-01-09T13:05:00Z", "2024-09-01T13:05:00Z"],
    ["09/01/2024 01:05 PM", "2024-01-09T13:05:00Z", "2024-09-01T13:05:00Z"],
    ["01-02-24T13:05:06,5", "2024-02-01T13:05:06.500Z", "2024-01-02T13:05:06.500Z"],
  ])("%s", (cell, ...times) => {
    const text = `d;v\n"${cell}";1`;
    const message = refusal(text, { delimiter: ";" });
    const patterns = [...message.matchAll(/'([^']+)'/g)].map(([, pattern]) => pattern!);
    const found = patterns.map((timeFormat) => lines(text, { delimiter: ";", timeFormat })[0]!.split(" ")[0]);
    expect(found).toEqual(expect.arrayContaining(times));
  });
});
