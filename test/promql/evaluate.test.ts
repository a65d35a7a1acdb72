// Evaluation of PromQL: what a comparison with Prometheus cannot show: limits, errors, hostile input, cancellation.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { TorusError } from "../../src/core/errors.ts";
import { PromqlError } from "../../src/promql/errors.ts";
import { compilePattern } from "../../src/promql/language/regex.ts";
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
  ['label_replace(load_one, "a-b", "z", "host", ".*")', { fails: "invalid destination label name" }],
  ["topk(1e30, load_one)", { fails: "overflows int64" }],
  ['count_values("a-b", load_one)', { fails: 'invalid label name "a-b"' }],
  ["topk(0, load_one)", { ok: {} }],
  ["clamp(load_one, 2, 1)", { ok: {} }],
] as const)("%s", async (query, expected: { ok?: object; fails?: string }) => {
  const answer = ask(query, 3600, deps);
  if (expected.ok) expect(valuesOf(await answer)).toEqual({ ...expected.ok });
  else await expect(answer).rejects.toThrow(expected.fails!);
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

test("patterns that make backtracking engines hang take linear time", () => {
  const startedAt = performance.now();
  const text = `${"a".repeat(5000)}!`;
  for (const source of ["(a+)+", "(a|aa)+", "(.*a){20}", "(a*)*b", "(?:a?){200}a{200}"])
    expect(compilePattern(source).matches(text)).toBe(false);
  // Backtracking takes longer than the universe is old.
  expect(performance.now() - startedAt).toBeLessThan(10_000);
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
    { numRuns: 300 },
  );
}, 60_000);
