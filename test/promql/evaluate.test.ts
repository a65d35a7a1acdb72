// Evaluation of PromQL: what a comparison with Prometheus cannot show: limits, errors, hostile input, cancellation.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { TorusError } from "../../src/core/errors.ts";
import { PromqlError } from "../../src/promql/errors.ts";
import { compilePattern } from "../../src/promql/language/regex.ts";
import { growthOf } from "../support/cpu.ts";
import { roundsOf } from "../support/rounds.ts";
import { ask, askRange, type MemorySeries, memoryDeps, valuesOf } from "./memory.ts";
import queries from "./queries.json";

const minutes = Array.from({ length: 61 }, (_, i) => [i * 60, i] as const);
const series: readonly MemorySeries[] = [
  [{ __name__: "load_one", host: "a", zone: "x" }, minutes],
  [{ __name__: "load_one", host: "b", zone: "x" }, minutes.map(([at, value]) => [at, value * 2] as const)],
  [{ __name__: "mem_used", host: "a" }, minutes],
  [{ __name__: "mem_used", host: "a", slot: "2" }, minutes],
  [{ __name__: "http_requests", host: "a" }, minutes.map(([at]) => [at, Number.NaN] as const)],
];
const deps = memoryDeps(series);

test.each([
  ["load_one + on (zone) mem_used", { fails: "many-to-many matching not allowed" }],
  [
    "load_one + on (host) mem_used",
    { fails: "found duplicate series for the match group on the right hand-side" },
  ],
  ["load_one + on (zone) load_one", { fails: "matching labels must be unique on one side" }],
  ["load_one + on (zone) sum by (zone) (load_one)", { fails: "many-to-one matching must be explicit" }],
  [
    "load_one * on (zone) group_left (host) topk by (zone) (1, load_one)",
    { fails: "grouping labels must ensure unique matches" },
  ],
  ['abs({__name__=~"load_one|mem_used", host="a", slot=""})', { ok: { "host a zone x": 60, "host a": 60 } }],
  ['label_replace(load_one, "host", "z", "host", ".*")', { fails: "same labelset" }],
  [
    'label_replace(load_one, "", "z", "host", ".*")',
    { fails: 'invalid destination label name in label_replace(): ""' },
  ],
  ['label_join(load_one, "h", "-", "host", "")', { fails: "invalid source label name in label_join()" }],
  ["topk(1e30, load_one)", { fails: "overflows int64" }],
  ['count_values("a-b", load_one)', { ok: { "a_b 60": 1, "a_b 120": 1 } }],
  ['count_values("", load_one)', { fails: 'invalid label name: ""' }],
  ["topk(0, load_one)", { ok: {} }],
  ["clamp(load_one, 2, 1)", { ok: {} }],
  // As in Prometheus 2, a single value deviates by nothing, whatever it is.
  ["stddev(http_requests)", { ok: { "": 0 } }],
] as const)("%s", async (query, expected: { ok?: object; fails?: string }) => {
  const answer = ask(query, 3600, deps);
  if (expected.ok) expect(valuesOf(await answer)).toEqual({ ...expected.ok });
  else await expect(answer).rejects.toThrow(expected.fails!);
});

test.each([
  "topk",
  "bottomk",
])("%s keeps the series that come first in the order of all of them", async (op) => {
  const values = [3, Number.NaN, 7, 7, -Infinity, 3, Infinity, Number.NaN, 0, 7];
  const many = Array.from({ length: 40 }, (_, i): MemorySeries => {
    return [{ __name__: "many", i: String(i) }, [[3600, values[i % values.length]!]]];
  });
  const list = async (k: number) => [
    ...Object.entries(valuesOf(await ask(`${op}(${k}, many)`, 3600, memoryDeps(many)))),
  ];
  const all = await list(39);
  expect(all.at(op === "topk" ? 0 : -9)?.[1]).toBe(Infinity);
  expect(all.at(-1)?.[1]).toBeNaN();
  for (const k of [1, 3, 9, 32]) expect(await list(k)).toEqual(all.slice(0, k));
});

test.each([
  ["load_one", { series: 1 }, "selects more than 1 series"],
  ["load_one", { samples: 5 }, "reads more than 5 samples"],
  ["load_one", { values: 9 }, "computes more than 9 values"],
  ["sum by (host) (vector(1)) + vector(1)", { values: 9 }, "computes more than 9 values"],
  ['count_values("v", load_one)', { values: 200 }, "computes more than 200 values"],
] as const)("%s with %p", async (query, limit, message) => {
  const limits = { series: 100, samples: 1000, values: 100_000, ...limit };
  const failed = askRange(query, { from: 3000, to: 3600, step: 60 }, { ...deps, limits });
  await expect(failed).rejects.toThrow(message);
  await expect(failed).rejects.toBeInstanceOf(PromqlError);
});

test.each(["topk", "bottomk"])("a number of %s is checked without any series to rank", async (op) => {
  for (const count of ["NaN", "Inf", "scalar(absent_one)", "1e19"])
    await expect(ask(`${op}(${count}, absent_one)`, 3600, deps)).rejects.toThrow("overflows int64");
});

describe("classic histograms", () => {
  const counts = { "-1": 1, "2": 3, "4": 7, "+Inf": 8 };
  const histogram = Object.entries(counts).map(
    ([le, count]): MemorySeries => [{ __name__: "h_bucket", job: "a", le }, [[3600, count]]],
  );
  const strangers: MemorySeries[] = [
    [{ __name__: "h_bucket", job: "b", le: "ten" }, [[3600, 1]]],
    [{ __name__: "h_bucket", job: "c" }, [[3600, 1]]],
    [{ __name__: "h_bucket", job: "d", le: "1" }, [[3600, 1]]],
  ];
  const known = memoryDeps([...histogram, ...strangers]);
  // Worked out by hand: half of the bucket from 2 to 4 are two of its four values.
  test.each([
    ["0, 4", 3 / 8 + 4 / 8 - (1 + (2 * 1) / 3) / 8],
    ["2, 3", 2 / 8],
    ["-Inf, Inf", 1],
    ["-5, -2", 0],
    ["-2, 2", 2 / 8],
    ["-5, Inf", 7 / 8],
    ["-Inf, -5", 1 / 8],
    ["4, 100", 0],
    ["4, Inf", 1 / 8],
    ["3, 3", 0],
    ["4, 2", 0],
    ["NaN, 2", Number.NaN],
  ])("histogram_fraction(%s) is %p", async (bounds, wanted) => {
    const found = valuesOf(await ask(`histogram_fraction(${bounds}, h_bucket)`, 3600, known));
    expect(Object.keys(found)).toEqual(["job a", "job d"]);
    expect(found["job d"]).toBeNaN();
    if (Number.isNaN(wanted)) expect(found["job a"]).toBeNaN();
    else expect(found["job a"]).toBeCloseTo(wanted, 12);
  });

  test("two of the same labels but the name are refused", async () => {
    const twice = memoryDeps([...histogram, [{ __name__: "g_bucket", job: "a", le: "+Inf" }, [[3600, 1]]]]);
    const answer = ask('histogram_quantile(0.5, {job="a"})', 3600, twice);
    await expect(answer).rejects.toThrow("same labelset");
  });

  test("their results count against the budget", async () => {
    const limited = memoryDeps(histogram, { limits: { series: 100, samples: 1000, values: 150 } });
    await expect(ask("histogram_quantile(0.5, h_bucket)", 3600, limited)).rejects.toThrow(
      "more than 150 values",
    );
  });
});

test.each([
  "holt_winters",
  "double_exponential_smoothing",
])("%s takes factors between 0 and 1", async (name) => {
  for (const factors of ["0, 0.5", "0.5, 1", "2, 0.5"])
    await expect(ask(`${name}(load_one[1h], ${factors})`, 3600, deps)).rejects.toThrow(
      "factor. Expected: 0 <",
    );
  const line = memoryDeps([
    [{ __name__: "line" }, [0, 60, 120, 180].map((at) => [at, 5 + at / 60] as const)],
  ]);
  expect(valuesOf(await ask(`${name}(line[5m], 0.3, 0.7)`, 180, line))[""]).toBeCloseTo(8, 12);
});

test("a query that is aborted ends, and other work runs beside it", async () => {
  const abort = new AbortController();
  const long = Array.from({ length: 200_000 }, (_, i) => [i, i] as const);
  const slow = memoryDeps([[{ __name__: "a" }, long]], { signal: abort.signal });
  let turns = 0;
  const timer = setInterval(() => {
    if (++turns === 5) abort.abort(new TorusError("canceled", "enough"));
  }, 1);
  try {
    const steps = { from: 100_000, to: 199_999, step: 10 };
    await expect(askRange("quantile_over_time(0.9, a[1d])", steps, slow)).rejects.toThrow("enough");
    expect(turns).toBeGreaterThanOrEqual(5);
  } finally {
    clearInterval(timer);
  }
});

test("patterns that make backtracking engines hang take linear time", async () => {
  const sources = ["(a+)+", "(a|aa)+", "(.*a){20}", "(a*)*b", "(?:a?){200}a{200}"];
  for (const pattern of sources.map(compilePattern)) {
    const match = (length: number) => expect(pattern.matches(`${"a".repeat(length)}!`)).toBe(false);
    // Backtracking takes longer than the universe is old.
    expect(await growthOf(match, 4000)).toBeLessThan(10);
  }
  expect(() => compilePattern("(?:x{1000}){1000}")).toThrow("invalid repeat count");
});

test("patterns match whole values, and words without special characters in any number", () => {
  expect(compilePattern("a|b").matches("ab")).toBe(false);
  expect(compilePattern("a|b").matches("b")).toBe(true);
  expect(compilePattern("(?i)A.").matches("ax")).toBe(true);
  expect(compilePattern("").matches("")).toBe(true);
});

const fragment = fc.oneof(
  fc.constantFrom(...queries),
  fc.constantFrom(
    "sum",
    "by",
    "(",
    ")",
    "[5m]",
    "[5m:1m]",
    "{",
    "}",
    "=~",
    '"',
    "offset",
    "@",
    "-",
    "on",
    "bool",
    ",",
  ),
  fc.constantFrom(
    "rate(",
    "topk(",
    "histogram_quantile(",
    "group_left",
    "1e999",
    "a{b=~`(`}",
    "\\",
    "#",
    "\n",
    "'",
  ),
  fc.string({ maxLength: 6 }),
);

test("whatever is asked, an answer or an error of PromQL", async () => {
  const isOwn = (error: unknown) => error instanceof PromqlError;
  await fc.assert(
    fc.asyncProperty(fc.array(fragment, { minLength: 1, maxLength: 6 }), async (fragments) => {
      const query = fragments.join(" ");
      const found = await ask(query, 1800, deps).catch((error) => error);
      if (found instanceof Error && !isOwn(found)) throw found;
      const ranged = await askRange(query, { from: 0, to: 3600, step: 300 }, deps).catch((error) => error);
      if (ranged instanceof Error && !isOwn(ranged)) throw ranged;
    }),
    { numRuns: roundsOf(300) },
  );
}, 180_000);

describe("work is bounded before it is done, without any series", () => {
  const repeat = (count: number, wrap: (inner: string) => string, inner: string) => {
    let query = inner;
    for (let i = 0; i < count; i++) query = wrap(query);
    return query;
  };
  const long = `label_replace(vector(1), "a", "${"x".repeat(1000)}", "", "")`;
  const balanced = (depth: number): string =>
    depth === 0 ? "1" : `(${balanced(depth - 1)}+${balanced(depth - 1)})`;

  test.each([
    [
      "steps of a subquery",
      "count_over_time(vector(1)[50000s:1ms])",
      "a subquery of more than 1000000 steps",
    ],
    [
      "more than a list can have",
      "count_over_time(vector(1)[3y:1ms])",
      "a subquery of more than 1000000 steps",
    ],
    ["steps of a subquery within", "sum_over_time(max_over_time(pi()[1m:1s])[9d:500ms])", "1000000 steps"],
    ["scalars", `max_over_time((${balanced(4)})[900s:1ms])`, "computes more than 10000000 values"],
    ["labels joined", repeat(10, (q) => `label_join(${q},"a","","a","a","a","a")`, long), "4096 characters"],
    [
      "groups repeated",
      repeat(22, (q) => `label_replace(${q},"a","$1$1","a","(.*)")`, long),
      "makes a label of more than 4096 characters",
    ],
    ["a template", `label_replace(${long},"b","${"$1".repeat(5000)}","a","(.*)")`, "4096 characters"],
    ["groups", `label_replace(${long},"b","$1","a","${"(.*)".repeat(101)}")`, "at most 100 groups"],
    [
      "groups in a long text",
      `label_replace(label_join(${long},"a","","a","a","a","a"),"b","$1","a","${"(.*)".repeat(100)}")`,
      "a regular expression of more than 50000000 steps for one label",
    ],
  ])("%s", async (_, query, message) => {
    await expect(ask(query, 3600, deps)).rejects.toThrow(message);
  });

  test("characters of all labels together", async () => {
    const hosts = Array.from(
      { length: 10_000 },
      (_, i): MemorySeries => [{ __name__: "a", host: `${i}` }, [[3600, 1]]],
    );
    const query = `label_replace(a, "b", "${"x".repeat(4000)}", "", "")`;
    await expect(ask(query, 3600, memoryDeps(hosts))).rejects.toThrow(
      "makes labels of more than 20000000 characters",
    );
  });

  test("a group that is not named costs nothing", async () => {
    const query = `label_replace(${long}, "b", "y", "a", "${"(.*)".repeat(100)}")`;
    expect(Object.keys(valuesOf(await ask(query, 3600, deps)))[0]).toEndWith("b y");
  });
});
