// The parser of PromQL: what it reads, what it refuses and by which words.
import { describe, expect, test } from "bun:test";
import { PromqlError } from "../../src/promql/errors.ts";
import { describeExpression } from "../../src/promql/language/describe.ts";
import { formatExpression } from "../../src/promql/language/format.ts";
import { formatDuration, formatNumber, parseString } from "../../src/promql/language/literals.ts";
import { parseQuery } from "../../src/promql/language/parse.ts";
import queries from "./queries.json";

describe("refused", () => {
  test.each([
    ["", "no expression found in input"],
    ["foo[", "parse error at char 5: unexpected end of input"],
    ["foo)", 'unexpected ")"'],
    ["{}", "must contain at least one non-empty matcher"],
    ['{a=~".*"}', "must contain at least one non-empty matcher"],
    ['a{b=~"("}', "missing closing )"],
    ['a{b=~"(?=x)"}', "invalid or unsupported Perl syntax"],
    [`a{b=~"${"x".repeat(20_000)}"}`, "has at most 20000 characters"],
    ['foo{__name__="bar"}', "metric name must not be set twice"],
    ["nosuch(a)", 'unknown function with name "nosuch"'],
    ["histogram_sum(a)", "function histogram_sum is not supported: it is of native histograms"],
    ["mad_over_time(a[5m])", "function mad_over_time is not supported"],
    ["limitk(1, a)", "aggregation limitk is not supported"],
    ["1_000", "bad number 1_000"],
    ["a + 0x1_0", "unexpected"],
    ["a2.", 'unexpected "."'],
    ["a + 1.5.", 'unexpected "."'],
    ["holt_winters (a[5m], 0.5)", "expected at least 3 argument(s) in call to holt_winters, got 2"],
    ["a + fill(0) b", "fill(0) is not supported"],
    ["rate(a[5m] anchored)", "a[5m] anchored is not supported"],
    ["a[5m + 1m]", "5m + 1m is not supported"],
    ["a </ 1", "</ is not supported"],
    ["rate(a)", "expected type range vector in call to function rate, got instant vector"],
    ["abs(1)", "expected type instant vector in call to function abs, got scalar"],
    ["clamp(a, 1)", "expected at least 3 argument(s) in call to clamp, got 2"],
    ["abs(a, a)", "expected at most 1 argument(s) in call to abs, got 2"],
    ["sum(1)", "expected type instant vector in aggregation expression, got scalar"],
    ["topk(a)", "expected 2, got 1"],
    ["sum(1, a)", "expected 1, got 2"],
    ['topk("x", a)', "expected type scalar in aggregation parameter, got string"],
    ["1 == 1", "comparisons between scalars must use BOOL modifier"],
    ["a + bool b", "bool modifier can only be used on comparison operators"],
    ["a and 1", 'set operator "and" not allowed in binary scalar expression'],
    ["a and on (x) group_left b", 'no grouping allowed for "and" operation'],
    ["a + on (x) 1", "vector matching only allowed between instant vectors"],
    ["a + on (x) group_left (x) b", 'label "x" must not occur in ON and GROUP clause at once'],
    ['a + "b"', "must contain only scalar and instant vector types"],
    ["-(a[5m])", "unary expression only allowed"],
    ["a offset 1m offset 2m", "offset may not be set multiple times"],
    ["a @ 1 @ 2", "may not be set multiple times"],
    ["sum(a) offset 1m", "offset modifier must be preceded by"],
    ["sum(a) @ 1", "@ modifier must be preceded by"],
    ["(a + b)[5m]", "ranges only allowed for vector selectors"],
    ["a offset 1m [5m]", "no offset modifiers allowed before range"],
    ["a[0s]", "duration must be greater than 0"],
    ["a @ Inf", "timestamp out of bounds"],
    [String.raw`"\q"`, "unknown escape sequence"],
    [String.raw`"\ud800"`, "invalid Unicode code point"],
    ["'open", "unterminated quoted string"],
    [`${"(".repeat(300)}a${")".repeat(300)}`, "nested deeper than 200 levels"],
    [`1${"+1".repeat(300)}`, "nested deeper than 200 levels"],
    [" ".repeat(19_999).concat("ab"), "at most 20000 characters"],
  ])("%p", (query, message) => {
    let error: unknown;
    try {
      parseQuery(query);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(PromqlError);
    expect(error).toMatchObject({ type: "bad_data", message: expect.stringContaining(message) });
  });
});

test.each([
  ["SUM BY (a) (b)", "sum by (a) (b)"],
  ["sum(a) without(b,c)", "sum without (b, c) (a)"],
  ["{__name__='a', b=~`c.`, 'd.e'!=\"f\"}", 'a{b=~"c.","d.e"!="f"}'],
  ["{'a b'}", '{__name__="a b"}'],
  ["rate(a[90s] offset -1w)", "rate(a[1m30s] offset -1w)"],
  ["a offset 5m @ 12.5", "a @ 12.500 offset 5m"],
  ["max_over_time(a[1h:] @ end())", "max_over_time(a[1h:] @ end())"],
  ["-2 ^ 2", "-2 ^ 2"],
  ["a * on(b) group_left(c) d # why", "a * on (b) group_left (c) d"],
  ["a > bool 1", "a > bool 1"],
  ["a unless ignoring(b) c", "a unless ignoring (b) c"],
  ["1 + on () a", "1 + a"],
  ["2. + a offset 1m", "2 + a offset 1m"],
  ["1./6. ^ .5", "1 / 6 ^ 0.5"],
  ['0X1F + a0X1{b="0X1"}', '31 + a0X1{b="0X1"}'],
  ["holt_winters(a[5m], 0.5, 1.)", "holt_winters(a[5m], 0.5, 1)"],
  ["holt_winters + a{b='holt_winters(2.)'}", 'holt_winters + a{b="holt_winters(2.)"}'],
])("%p is %p", (query, formatted) => {
  expect(formatExpression(parseQuery(query))).toBe(formatted);
});

test.each([
  ["a - b offset 5m", "a - (b offset 5m)"],
  ["-a offset 5m", "-(a offset 5m)"],
  ["a @ 1 + b @ 2", "(a @ 1) + (b @ 2)"],
  ["a > 1 and b offset 1h > 1", "(a > 1) and ((b offset 1h) > 1)"],
  ["a + b offset 5m * c", "a + ((b offset 5m) * c)"],
  ["a ^ b offset 5m ^ c", "a ^ ((b offset 5m) ^ c)"],
  ["a - -b @ end() offset 1m - c", "(a - (-(b @ end() offset 1m))) - c"],
  ["a or b and c offset 1m unless d", "a or ((b and (c offset 1m)) unless d)"],
  ["max_over_time(a[5m:1m] offset 1h) - b offset 1m", "max_over_time(a[5m:1m] offset 1h) - (b offset 1m)"],
  ["2 ^ -1 ^ 2 * 3", "(2 ^ (-(1 ^ 2))) * 3"],
  ["-1 ^ 2", "-(1 ^ 2)"],
  ["-a * b", "(-a) * b"],
])("%p is read as %p", (query, grouped) => {
  const bare = (expression: object): unknown =>
    JSON.parse(JSON.stringify(expression), (_, value) => (value?.type === "parenExpr" ? value.expr : value));
  expect(bare(describeExpression(parseQuery(query)))).toEqual(bare(describeExpression(parseQuery(grouped))));
});

test.each([
  ["a + b[5m]", "must contain only scalar and instant vector types"],
  ["-a[5m:1m]", "unary expression only allowed"],
  ["a - (b) offset 5m", "offset modifier must be preceded by"],
  ["a * 1 offset 5m", "offset modifier must be preceded by"],
  ["a - b offset 1m offset 2m", "offset may not be set multiple times"],
])("%p fails: %p", (query, message) => {
  expect(() => parseQuery(query)).toThrow(message);
});

test.each(queries)("%p is the same again when formatted and parsed", (query) => {
  const expression = parseQuery(query);
  const again = parseQuery(formatExpression(expression));
  expect(describeExpression(again)).toEqual(describeExpression(expression));
});

test("the tree of a query, as parse_query answers it", () => {
  expect(describeExpression(parseQuery('sum by (a) (rate(b{c="d"}[5m])) > 1'))).toEqual({
    type: "binaryExpr",
    op: ">",
    lhs: {
      type: "aggregation",
      op: "sum",
      expr: {
        type: "call",
        func: { name: "rate", argTypes: ["matrix"], variadic: 0, returnType: "vector" },
        args: [
          {
            type: "matrixSelector",
            range: 300_000,
            name: "b",
            matchers: [
              { type: "=", name: "__name__", value: "b" },
              { type: "=", name: "c", value: "d" },
            ],
            offset: 0,
            timestamp: null,
            startOrEnd: null,
          },
        ],
      },
      param: null,
      grouping: ["a"],
      without: false,
    },
    rhs: { type: "numberLiteral", val: "1" },
    matching: null,
    bool: false,
  });
});

test.each([
  [1e21, "1000000000000000000000"],
  [1.5e-7, "0.00000015"],
  [-2.5e22, "-25000000000000000000000"],
  [Infinity, "+Inf"],
  [-Infinity, "-Inf"],
  [Number.NaN, "NaN"],
  [-0, "-0"],
  [0.1, "0.1"],
])("the number %p is written %p", (value, text) => expect(formatNumber(value)).toBe(text));

test.each([
  [0, "0s"],
  [5_400_000, "1h30m"],
  [-250, "-250ms"],
  [604_800_000, "1w"],
  [90_061_001, "1d1h1m1s1ms"],
])("%p ms are written %p", (ms, text) => expect(formatDuration(ms)).toBe(text));

test("escapes of strings are those of Go", () => {
  expect(parseString(String.raw`"\a\n\t\\\"\x41\u00e9\U0001F600\101"`)).toBe(
    '\u0007\n\t\\"A\u00e9\u{1F600}A',
  );
  expect(parseString(String.raw`"\xc3\xa9\303\251\\x41"`)).toBe("éé\\x41");
  expect(parseString("`\\n`")).toBe("\\n");
  for (const bytes of [String.raw`\xff`, String.raw`\xc3z`, String.raw`\400`])
    expect(() => parseString(`"a${bytes}"`)).toThrow("is not UTF-8");
});
