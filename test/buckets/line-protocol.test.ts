// Line protocol: a table of lines, round trips, and a comparison with a real InfluxDB.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { escapeMeasurement, formatLine } from "../../src/buckets/influxdb/line.ts";
import {
  type ParsedLines,
  type Precision,
  parseLines,
  parseParts,
} from "../../src/buckets/line-protocol/index.ts";
import { growthOf } from "../support/cpu.ts";
import { type Influxd, influxdMissing, startInfluxd } from "../support/influxd.ts";
import { roundsOf } from "../support/rounds.ts";
import { T0 } from "./support.ts";

const parse = (text: string, precision: Precision = "ns") => parseLines(text, { precision, nowAt: T0 });

/** All points as `[measurement, tags, fields, at]`. */
function rows({ points }: ParsedLines) {
  return [...points].flatMap(([measurement, list]) =>
    list.map(({ tags, fields, at }) => [measurement, tags, fields, at]),
  );
}

describe("a body in parts", () => {
  const options = { precision: "ns", nowAt: T0 } as const;
  const parts = (text: string, size: { values: number; characters: number }) =>
    [...parseParts([text], options, () => size)].map(
      ({ points, refused }) => [...points.values()].reduce((sum, list) => sum + list.length, 0) + refused,
    );

  test("by values of fields, the line that goes beyond included", () => {
    const text = "m a=1,b=2\nm a=1,b=2\nm a=1,b=2\nm a=1";
    expect(parts(text, { values: 3, characters: Infinity })).toEqual([2, 2]);
  });

  test.each([
    ["texts over several lines", 'm a="1\n2\n3",b=2 1\nm a="\n" 2\n\n# x\nn c=1 3'],
    ["a quote that stays open", 'm a=1 1\nm a="\nm a=2 2\nm a="x 3\n'],
    ["quotes with escapes", 'm a="\\"\n\\"" 1\r\nm a="\\\\\n" 2\r\nbad\r\nm a=3 3\r\n'],
    ["no line feed at the end", 'm a=1 1\nm a="\n'],
  ])("of pieces that end behind any lines, as of the whole: %s", (_, text) => {
    const merged = (texts: string[]) => {
      const read = [...parseParts(texts, options, () => ({ values: 2, characters: 20 }))];
      return { rows: read.flatMap(rows), errors: read.flatMap(({ errors }) => errors) };
    };
    const whole = merged([text]);
    expect(whole).toEqual({ rows: rows(parse(text)), errors: [...parse(text).errors] });
    const lines = text.split(/(?<=\n)/);
    for (let cuts = 0; cuts < 2 ** (lines.length - 1); cuts++) {
      const pieces = [""];
      for (const [i, line] of lines.entries()) {
        pieces.push(pieces.pop()! + line);
        if (cuts & (2 ** i)) pieces.push("");
      }
      expect(merged(pieces)).toEqual(whole);
    }
  });

  test("by characters, blank lines and comments too", () => {
    expect(parts(`${"\n".repeat(25)}m a=1`, { values: Infinity, characters: 10 })).toEqual([0, 0, 1]);
    expect(parts("# x\n".repeat(10), { values: Infinity, characters: 10 }).length).toBeGreaterThan(3);
  });
});

describe("rejects a line with too many or too long", () => {
  const fields = (count: number) => `m ${Array.from({ length: count }, (_, i) => `f${i}=1`).join()}`;
  test.each([
    ["fields", fields(10_001), "too many fields; a line has at most 10000"],
    ["tags", `m${",t=v".repeat(20_000)} a=1`, "measurement and tags too long"],
    [
      "characters",
      `m ${Array.from({ length: 80 }, (_, i) => `f${i}="${"x".repeat(60_000)}"`).join()}`,
      "line too long",
    ],
    ["digits", `m a=${"1".repeat(5000)}`, "invalid float"],
    ["letters of a name", `m ${"a".repeat(5000)}=1`, "invalid field format"],
  ])("%s", (_, line, reason) => {
    const { points, errors } = parse(`${line}\nm ok=1 1`);
    expect(errors.map((error) => error.reason)).toEqual([reason]);
    expect(points.get("m")).toHaveLength(1);
  });

  test("the most fields there may be are taken", () => {
    expect(Object.keys(parse(fields(10_000)).points.get("m")![0]!.fields)).toHaveLength(10_000);
  });
});

describe("a point", () => {
  test.each([
    ["cpu v=1 5000000", [["cpu", {}, { v: 1 }, 5]]],
    ["cpu v=1", [["cpu", {}, { v: 1 }, T0]]],
    ["  cpu,host=a,r=eu  v=1,w=-2.5e3   7000000  ", [["cpu", { host: "a", r: "eu" }, { v: 1, w: -2500 }, 7]]],
    ["cpu a=3i,b=-4i,c=5u,d=.5,e=5.", [["cpu", {}, { a: 3, b: -4, c: 5, d: 0.5, e: 5 }, T0]]],
    [
      "cpu a=t,b=T,c=true,d=True,e=TRUE,f=f,g=F,h=false,i=False,j=FALSE",
      [
        [
          "cpu",
          {},
          { a: true, b: true, c: true, d: true, e: true, f: false, g: false, h: false, i: false, j: false },
          T0,
        ],
      ],
    ],
    [
      "cpu a=-0i,b=999999999999999i,c=-999999999999999i,d=9007199254740993i,e=18446744073709551615u,f=007i",
      [["cpu", {}, { a: 0, b: 999999999999999, c: -999999999999999, d: 2 ** 53, e: 2 ** 64, f: 7 }, T0]],
    ],
    ['cpu v="a, b=c d",w=2', [["cpu", {}, { v: "a, b=c d", w: 2 }, T0]]],
    ['cpu v="two\nlines",w=2 1000000', [["cpu", {}, { v: "two\nlines", w: 2 }, 1]]],
    ['cpu v="say \\"hi\\" \\\\ \\n"', [["cpu", {}, { v: 'say "hi" \\ \\n' }, T0]]],
    ['cpu v=""', [["cpu", {}, { v: "" }, T0]]],
    [
      "a\\,b\\ c\\=d,t\\,\\ \\==v\\,\\ \\= f\\,\\ \\==1",
      [["a,b c\\=d", { "t, =": "v, =" }, { "f, =": 1 }, T0]],
    ],
    ["c\\pu,t=\\d v\\e=1", [["c\\pu", { t: "\\d" }, { "v\\e": 1 }, T0]]],
    ['m"q,t"="v" "f"=1', [['m"q', { 't"': '"v"' }, { '"f"': 1 }, T0]]],
    ["名前,ホスト=東京 値=1", [["名前", { ホスト: "東京" }, { 値: 1 }, T0]]],
    ["cpu v=1,v=2", [["cpu", {}, { v: 2 }, T0]]],
    [
      "# comment\n\n cpu v=1\r\n\r\ncpu v=2\r\n",
      [
        ["cpu", {}, { v: 1 }, T0],
        ["cpu", {}, { v: 2 }, T0],
      ],
    ],
    ["constructor,toString=a valueOf=1", [["constructor", { toString: "a" }, { valueOf: 1 }, T0]]],
    ["m v=0009i,w=00.5,x=01,y=1.e3,z=-007i", [["m", {}, { v: 9, w: 0.5, x: 1, y: 1000, z: -7 }, T0]]],
    ['m#,t=# f#="# x"', [["m#", { t: "#" }, { "f#": "# x" }, T0]]],
    ["  # a comment\n\tm v=1i 1000000\r\n# m v=2", [["m", {}, { v: 1 }, 1]]],
    ["m,t=a\tb v=1", [["m", { t: "a\tb" }, { v: 1 }, T0]]],
    ['m v="\\\\" 1000000', [["m", {}, { v: "\\" }, 1]]],
    ['m v="a=b,c\\d",w=t', [["m", {}, { v: "a=b,c\\d", w: true }, T0]]],
    ["m v=1,v=t,v=3i", [["m", {}, { v: 3 }, T0]]],
    ["", []],
    ["\n\n# only a comment", []],
  ] as const)("%j", (text, expected) => {
    const parsed = parse(text);
    expect(rows(parsed)).toEqual(expected as never);
    expect(parsed.refused).toBe(0);
  });

  test("the points of one series share their tags", () => {
    const list = parse("cpu,host=a v=1 1\ncpu,host=a v=2 2").points.get("cpu")!;
    expect(list[0]!.tags).toBe(list[1]!.tags);
  });
});

describe("a time", () => {
  test.each([
    ["ns", "1699999979999999999", 1_699_999_979_999],
    ["n", "1699999980000000000", 1_699_999_980_000],
    ["ns", "999999", 0],
    ["ns", "-1", -1],
    ["ns", "-1000000", -1],
    ["ns", "-1000001", -2],
    ["us", "1699999980000999", 1_699_999_980_000],
    ["u", "-1", -1],
    ["µ", "1000", 1],
    ["ms", "1699999980001", 1_699_999_980_001],
    ["s", "1699999980", 1_699_999_980_000],
    ["m", "2", 120_000],
    ["h", "-2", -7_200_000],
    ["s", "0", 0],
    ["ns", "9223372036854775806", 9_223_372_036_854],
    ["us", "9223372036854775", 9_223_372_036_854],
    ["ms", "-9223372036854", -9_223_372_036_854],
  ] as const)("in %s: %s", (precision, digits, at) => {
    expect(rows(parse(`m v=1 ${digits}`, precision))).toEqual([["m", {}, { v: 1 }, at]]);
  });

  test.each([
    ["ns", "9999999999999999999"],
    ["ns", "9223372036854775807"],
    ["ns", "9223372036854775808"],
    ["us", "9223372036854776"],
    ["ms", "9223372036855"],
    ["s", "9223372037"],
    ["h", "9999999999"],
  ] as const)("out of range in %s: %s", (precision, digits) => {
    expect(parse(`m v=1 ${digits}`, precision).errors[0]!.reason).toBe("time outside range");
  });
});

/** What InfluxDB says of each, in its own words. */
const mistakes: readonly (readonly [line: string, reason: string])[] = [
  ["cpu", "missing fields"],
  ["cpu,a=b", "missing fields"],
  ["cpu v", "invalid field format"],
  ["cpu v=", "missing field value"],
  ["cpu v= 1", "missing field value"],
  ["cpu =1", "missing field key"],
  ["cpu v=1,=2", "missing field key"],
  ["cpu v=1,", "invalid field format"],
  ["cpu v=1x", "invalid number"],
  ["cpu v=1==2", "invalid number"],
  ["cpu v=NaN", "invalid number"],
  ["cpu v=0x10", "invalid number"],
  ["cpu v=1_0", "invalid number"],
  ["cpu v=-", "invalid number"],
  ["cpu v=1.0i", "invalid number"],
  ["cpu v=1e400", "invalid float"],
  ["cpu v=tru", "invalid boolean"],
  ["cpu v=inf", "invalid boolean"],
  ["cpu v=+1", "invalid boolean"],
  ['cpu v="x', "unbalanced quotes"],
  ["cpu v=1 abc", "bad timestamp"],
  ["cpu v=1 1.5", "bad timestamp"],
  ["cpu v=1 1 1", "point is invalid"],
  ["cpu,=a v=1", "missing tag key"],
  ["cpu, v=1", "missing tag key"],
  ["cpu,a=b,, v=1", "missing tag key"],
  ["cpu,a= v=1", "missing tag value"],
  ["cpu,a v=1", "missing tag value"],
  ["cpu,a=b,c v=1", "missing tag value"],
  ["cpu,a=b=c v=1", "invalid tag format"],
  ["cpu,a=1,a=2 v=1", "duplicate tags"],
  [",a=b v=1", "missing measurement"],
];

test.each([
  ["0009223372036854775807i", 9223372036854775807n],
  ["-0009223372036854775808i", -9223372036854775808n],
  ["00018446744073709551615u", 18446744073709551615n],
  ["000000000000000000000000i", 0n],
])("zeros before an integer: %s", (text, value) => {
  expect(rows(parse(`m v=${text}`))).toEqual([["m", {}, { v: Number(value) }, T0]]);
});

/** Beyond what InfluxDB minds. */
const ownMistakes: readonly (readonly [line: string, reason: string])[] = [
  ["cpu time=1", "invalid field key: time is reserved"],
  ["cpu,time=x v=1", "invalid tag key: time is reserved"],
  ["cpu __proto__=1", "invalid field key: __proto__ is reserved"],
  ["cpu,__proto__=x v=1", "invalid tag key: __proto__ is reserved"],
  ["cpu v=9223372036854775808i", "unable to parse integer 9223372036854775808: value out of range"],
  ["cpu v=0009223372036854775808i", "unable to parse integer 9223372036854775808: value out of range"],
  ["cpu v=-1u", "unable to parse integer -1: value out of range"],
  ['cpu v="a"b', "invalid field format"],
  ["cpu v=1I", "invalid number"],
  ["cpu v=1U", "invalid number"],
  ["cpu v=TRue", "invalid boolean"],
  ["cpu v=1 +5", "bad timestamp"],
  ["cpu v=1 # a comment", "bad timestamp"],
  ["cpu v=1\t5", "invalid number"],
  ['cpu v="a\\" 1', "unbalanced quotes"],
  ["cpu,t=a\\ v=1", "invalid tag format"],
  ["cpu ,t=a v=1", "invalid field format"],
  [`${"m".repeat(257)} v=1`, "measurement too long"],
  [`cpu ${"f".repeat(257)}=1`, "field key too long"],
  [`cpu,${"t".repeat(257)}=1 v=1`, "tag key too long"],
  [`cpu,t=${"v".repeat(1025)} v=1`, "tag value too long"],
  [`cpu v="${"x".repeat(65_537)}"`, "text too long"],
];

describe("no point", () => {
  test.each([...mistakes, ...ownMistakes])("%j", (line, reason) => {
    for (const text of [line, `good a=1 1\n${line}\ngood a=2 2`]) {
      const parsed = parse(text);
      expect(parsed.refused).toBe(1);
      expect(parsed.errors).toEqual([{ line: line.slice(0, 200), reason }]);
      expect([...parsed.points.keys()]).toEqual(text === line ? [] : ["good"]);
      expect(parsed.points.get("good")?.length ?? 2).toBe(2);
    }
  });

  test("of many mistakes the first ones are listed and all are counted", () => {
    const parsed = parse("bad\n".repeat(1000));
    expect([parsed.refused, parsed.errors.length]).toEqual([1000, 10]);
  });
});

const name = fc
  .string({ unit: "binary", minLength: 1, maxLength: 12 })
  .filter(
    (text) =>
      !/[\n\r\0\t\\]|^#/.test(text) && text !== "time" && text !== "__proto__" && text.trim() === text,
  );
const value = fc.oneof(
  // Zero has one form on the wire.
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value || 0),
  fc.boolean(),
  fc.string({ unit: "binary", maxLength: 20 }),
);

test("a formatted line parses to the same point", () => {
  const point = fc.record({
    measurement: name,
    at: fc.integer({ min: -8_000_000_000_000, max: 8_000_000_000_000 }),
    fields: fc.dictionary(name, value, { minKeys: 1, maxKeys: 4, noNullPrototype: true }),
    tags: fc.dictionary(name, name, { maxKeys: 3, noNullPrototype: true }),
  });
  fc.assert(
    fc.property(fc.array(point, { maxLength: 5 }), (points) => {
      const lines = points.map(
        ({ measurement, ...rest }) => formatLine(escapeMeasurement(measurement), rest)!,
      );
      const parsed = parse(lines.join("\n"));
      expect(parsed.errors).toEqual([]);
      const byMeasurement = Map.groupBy(points, ({ measurement }) => measurement);
      const expected = [...byMeasurement.values()].flatMap((list) =>
        list.map(({ measurement, tags, fields, at }) => [measurement, tags, fields, at]),
      );
      expect(rows(parsed)).toEqual(expected);
    }),
    { numRuns: roundsOf(300) },
  );
});

test("any text is read to its end, and every line is a point or is counted", () => {
  const pieces = fc.constantFrom(...'cpu |,|=|\\|"|\n|\r| |v=1|1i|t|#|0|é| 5'.split("|"));
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
      const { points, refused, errors } = parse(parts.join(""));
      expect(errors.length).toBe(Math.min(refused, 10));
      for (const [measurement, list] of points) {
        expect(measurement).not.toBe("");
        for (const { fields, at } of list) expect([Object.keys(fields).length > 0, at]).toEqual([true, at]);
      }
    }),
    { numRuns: roundsOf(1000) },
  );
});

test("time grows with the length of the text alone", async () => {
  const hostile = ['c v="\n', "c v=1,\n", "c,a\n", "\\", 'c v="x" "', ',="', "c v=1 \n#"];
  for (const piece of hostile) {
    const growth = await growthOf((length) => parse(piece.repeat(length / piece.length)), 2_000_000);
    expect([piece, growth < 10]).toEqual([piece, true]);
  }
});

describe.skipIf(Boolean(influxdMissing))("a real InfluxDB", () => {
  let server: Influxd;
  beforeAll(async () => {
    server = await startInfluxd();
    await server.query("create database d");
  });
  afterAll(() => server.stop());

  const send = async (line: string) => {
    const response = await fetch(`http://${server.addr}/write?db=d`, { method: "POST", body: line });
    const text = await response.text();
    return response.ok ? undefined : (JSON.parse(text) as { error: string }).error;
  };

  test("refuses the same lines, for the same reasons", async () => {
    for (const [line, reason] of mistakes)
      expect(await send(line)).toBe(`unable to parse '${line}': ${reason}`);
  });

  test("takes the same lines, and keeps the same values", async () => {
    const lines = [
      "t0,host=a\\ b,r\\,x=e\\=u a=3i,b=-4i,d=.5,e=5.,f=-2.5e3 1",
      't1 a="say \\"hi\\" \\\\ \\n",b="two\nlines, = ",c=t,d=FALSE 1',
      't2,"q"="v" "f"=1 1',
      "t3,t=c\\pu v\\e=1 1",
    ];
    for (const [i, line] of lines.entries()) {
      expect(await send(line)).toBeUndefined();
      const [result] = await server.query(`select * from t${i}`, "d");
      const { columns, values } = result!.series![0]!;
      const stored = Object.fromEntries(columns.map((column, k) => [column, values![0]![k]]));
      const [[, tags, fields]] = rows(parse(line)) as [[string, object, object]];
      expect(stored).toEqual({ time: 0, ...tags, ...fields } as never);
    }
  });
});
