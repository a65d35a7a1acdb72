// Random PromQL over the samples of `points.ts`: selectors, modifiers, functions, matching, aggregations, subqueries.
import { createRandom } from "../../wasm/random.ts";

const selectors = [
  "load_one",
  "mem_used",
  "http_requests",
  "lat_bucket",
  'load_one{host="a"}',
  'mem_total{host!="b"}',
  "irregular_v",
  "sparse_value",
  "flaky_value",
  'flaky_value{host="a"}',
  "odd_value",
  "total_value",
  "quantile_value",
];
const overTime = [
  ...["rate", "increase", "delta", "max_over_time", "avg_over_time", "last_over_time", "count_over_time"],
  ...["sum_over_time", "min_over_time", "stddev_over_time", "irate", "idelta", "changes", "resets", "deriv"],
];
const calls = ["abs(", "sgn(", "histogram_quantile(0.9, ", "absent(", "sort("];
const aggregations = ["sum", "avg", "max", "min", "count", "stddev"];
const groupings = ["", " by (host)", " without (host)", " by (job)"];
const operators = ["+", "-", "*", "/", "^", "%", ">", "<", "== bool", "and", "or", "unless"];
const matched = ["- on (host)", "* ignoring (zone) group_left"];
const numbers = ["2.", "1./3.", ".5", "1e1"];
/** Nesting of a query. */
const DEPTH = 3;

/** Queries without an end, the same for the same seed. */
export function* randomQueries(seed: number): Generator<string> {
  const random = createRandom(seed);
  const pick = (of: readonly string[]) => of[Math.floor(random.uniform() * of.length)]!;
  const chance = (share: number) => random.uniform() < share;
  const modifiers = () =>
    (chance(0.4) ? ` offset ${pick(["1m", "5m", "-3m", "1h"])}` : "") +
    (chance(0.15) ? ` @ ${pick(["1700003600", "start()", "end()"])}` : "");
  const expression = (depth: number): string => {
    if (depth === 0) return pick(selectors) + modifiers();
    const inner = () => expression(depth - 1);
    const forms = [
      () => pick(selectors) + modifiers(),
      () => `${pick(overTime)}(${pick(selectors)}[${pick(["3m", "10m"])}]${modifiers()})`,
      () => `${pick(aggregations)}${pick(groupings)} (${inner()})`,
      () => `${pick(calls)}${inner()})`,
      () => `${inner()} ${pick([...operators, ...matched])} ${inner()}`,
      () => `${inner()} ${pick(operators)} ${inner()}`,
      () => `${inner()} ${pick(["+", "-", "*", "/", "^", ">"])} ${pick(numbers)}`,
      () => `max_over_time((${inner()})[10m:1m]${modifiers()})`,
      () => `${chance(0.5) ? "-" : ""}${inner()}${modifiers()}`,
    ];
    return forms[Math.floor(random.uniform() * forms.length)]!();
  };
  for (;;) yield expression(DEPTH);
}
