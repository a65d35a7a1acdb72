// Aggregations of series that share labels, step by step.
import { NAME } from "../labels.ts";
import type { Aggregation } from "../language/expression.ts";
import { formatNumber } from "../language/literals.ts";
import type { Context } from "./context.ts";
import { FoldedGroups, isFold } from "./fold.ts";
import { type Group, type Grouping, groupColumns } from "./grouping.ts";
import { quotedLabel, setLabel } from "./label-functions.ts";
import { limitsOf, type Ranking, rank } from "./rank.ts";
import { quantileOf } from "./statistics.ts";
import { type Column, emptyColumn, isEmpty, type Value, type Vector, vectorOf } from "./values.ts";

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
  if (isFold(op)) return foldColumns(vector, { op, grouping, isWithout }, context);
  const params = param?.type === "scalar" ? param.values : undefined;
  const ranking = rankingOf(op, params);
  const result: Column[] = [];
  for (const group of groupColumns(vector.columns, { grouping, isWithout })) {
    if (ranking) result.push(...(await rank(group.columns, ranking, context)));
    else {
      budget.takeValues(1, steps.count);
      result.push(await reduceGroup(group, { reduce: reducers[op]!, params }, context));
    }
    await budget.pace();
  }
  return vectorOf(result.filter((column) => !isEmpty(column)));
}

async function foldColumns(
  { columns }: Vector,
  aggregation: Pick<Aggregation, "op" | "grouping" | "isWithout">,
  context: Context,
): Promise<Vector> {
  const groups = new FoldedGroups(aggregation, context);
  for (const column of columns) {
    groups.add(column);
    if (context.budget.isDue) await context.budget.pace();
  }
  return groups.finish();
}

/** Checked also where there is nothing to rank. */
function rankingOf(op: string, params: Float64Array | undefined): Ranking | undefined {
  if (op !== "topk" && op !== "bottomk") return undefined;
  return { limits: limitsOf(params!), isTop: op === "topk" };
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
