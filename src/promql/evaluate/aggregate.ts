// Aggregations of series that share labels, step by step.
import { filterLabels, keyOf, type Labels, NAME } from "../labels.ts";
import type { Aggregation } from "../language/expression.ts";
import { formatNumber } from "../language/literals.ts";
import type { Context } from "./context.ts";
import { quotedLabel, setLabel } from "./label-functions.ts";
import { limitsOf, type Ranking, rank } from "./rank.ts";
import { isInfinite, quantileOf, staysInfinite } from "./statistics.ts";
import { type Column, emptyColumn, isEmpty, type Value, type Vector, vectorOf } from "./values.ts";

/** What the values of a step are so far, 0 at the start, with one more. @param count with it */
type Fold = (result: number, value: number, count: number) => number;

const folds: Readonly<Record<string, Fold>> = {
  sum: (sum, value) => sum + value,
  avg: runningMean,
  min: (min, value, count) => (count === 1 || value < min || Number.isNaN(min) ? value : min),
  max: (max, value, count) => (count === 1 || value > max || Number.isNaN(max) ? value : max),
  count: (_, __, count) => count,
  group: () => 1,
};

/** All values of one step to one number; at least one value. */
type Reducer = (values: Float64Array, param: number) => number;

const reducers: Readonly<Record<string, Reducer>> = {
  stddev: (values) => Math.sqrt(plainVariance(values)),
  stdvar: plainVariance,
  quantile: (values, q) => quantileOf(q, values),
};

/** @param param of topk, bottomk, quantile (a scalar) and count_values (a text) */
export async function aggregate(
  { op, grouping, isWithout }: Pick<Aggregation, "op" | "grouping" | "isWithout">,
  { vector, param }: { readonly vector: Vector; readonly param: Value | undefined },
  context: Context,
): Promise<Vector> {
  const { steps, budget } = context;
  if (op === "count_values")
    return countValues(vector, { grouping, isWithout, name: nameOf(param) }, context);
  const groups = groupColumns(vector.columns, { grouping, isWithout });
  const params = param?.type === "scalar" ? param.values : undefined;
  const ranking = rankingOf(op, params);
  const result: Column[] = [];
  for (const group of groups) {
    if (ranking) result.push(...(await rank(group.columns, ranking, context)));
    else {
      budget.takeValues(1, steps.count);
      const fold = folds[op];
      result.push(
        fold
          ? await foldGroup(group, fold, context)
          : await reduceGroup(group, { reduce: reducers[op]!, params }, context),
      );
    }
    await budget.pace();
  }
  return vectorOf(result.filter((column) => !isEmpty(column)));
}

/** Checked also where there is nothing to rank. */
function rankingOf(op: string, params: Float64Array | undefined): Ranking | undefined {
  if (op !== "topk" && op !== "bottomk") return undefined;
  return { limits: limitsOf(params!), isTop: op === "topk" };
}

/** Column by column, as these lie together in memory. */
async function foldGroup(
  { labels, columns }: Group,
  fold: Fold,
  { steps, budget }: Context,
): Promise<Column> {
  const folded = emptyColumn(labels, steps.count);
  const counts = new Float64Array(steps.count);
  for (const { values, present } of columns) {
    for (let step = 0; step < steps.count; step++) {
      if (present[step] === 0) continue;
      counts[step]! += 1;
      folded.values[step] = fold(folded.values[step]!, values[step]!, counts[step]!);
      folded.present[step] = 1;
    }
    budget.spend(steps.count);
    if (budget.isDue) await budget.pace();
  }
  return folded;
}

async function reduceGroup(
  { labels, columns }: Group,
  { reduce, params }: { readonly reduce: Reducer; readonly params: Float64Array | undefined },
  { steps, budget }: Context,
): Promise<Column> {
  const reduced = emptyColumn(labels, steps.count);
  const gathered = new Float64Array(columns.length);
  for (let step = 0; step < steps.count; step++) {
    let count = 0;
    for (const { present, values } of columns) if (present[step] === 1) gathered[count++] = values[step]!;
    if (count > 0) {
      reduced.values[step] = reduce(gathered.subarray(0, count), params?.[step] ?? 0);
      reduced.present[step] = 1;
    }
    if (step % 64 === 63) await budget.pace();
  }
  return reduced;
}

/** Without compensation, as Prometheus 2 aggregates. */
function runningMean(mean: number, value: number, count: number): number {
  return isInfinite(mean) && staysInfinite(mean, value) ? mean : mean + (value / count - mean / count);
}

function plainVariance(values: Float64Array): number {
  // The first value is the mean so far, also where it is not finite.
  let [mean, squares, count] = [values[0]!, 0, 0];
  for (const value of values) {
    if (count++ === 0) continue;
    const delta = value - mean;
    mean += delta / count;
    squares += delta * (value - mean);
  }
  return squares / count;
}

/** Of the label that holds the values. @throws PromqlError `bad_data` */
function nameOf(param: Value | undefined): string {
  return quotedLabel(param?.type === "string" ? param.value : "", "label name");
}

type ValueGrouping = Grouping & { readonly name: string };

/** One series per value, which is set as a label before the series are grouped: it replaces a label of that name. */
async function countValues(
  { columns }: Vector,
  { grouping, isWithout, name }: ValueGrouping,
  { steps, budget }: Context,
): Promise<Vector> {
  const isHidden = isWithout && (name === NAME || grouping.includes(name));
  const others = isWithout ? [...grouping, name] : grouping.filter((label) => label !== name);
  const counts: Column[] = [];
  for (const group of groupColumns(columns, { grouping: others, isWithout })) {
    const byText = new Map<string, Column>();
    for (const { values, present } of group.columns)
      for (let step = 0; step < steps.count; step++) {
        budget.spend();
        if (budget.isDue) await budget.pace();
        if (present[step] === 0) continue;
        const text = isHidden ? "" : formatNumber(values[step]!);
        let column = byText.get(text);
        if (!column) {
          budget.takeValues(1, steps.count);
          const labels = isHidden ? group.labels : setLabel(group.labels, [name, text], budget);
          column = emptyColumn(labels, steps.count);
          byText.set(text, column);
        }
        column.values[step]! += 1;
        column.present[step] = 1;
      }
    counts.push(...byText.values());
  }
  return vectorOf(counts);
}

interface Grouping {
  readonly grouping: readonly string[];
  readonly isWithout: boolean;
}

interface Group {
  readonly labels: Labels;
  readonly columns: Column[];
}

/** In the order of their first series. `without` drops the name, too. */
function groupColumns(columns: readonly Column[], { grouping, isWithout }: Grouping): Group[] {
  const names = new Set(isWithout ? [...grouping, NAME] : grouping);
  const isKept = (name: string) => names.has(name) !== isWithout;
  const groups = new Map<string, Group>();
  for (const column of columns) {
    const key = keyOf(column.labels, isKept);
    const known = groups.get(key);
    if (known) known.columns.push(column);
    else groups.set(key, { labels: filterLabels(column.labels, isKept), columns: [column] });
  }
  return [...groups.values()];
}
