// Functions label_replace and label_join; labels are taken from the budget of the query before they are made.
import { badData } from "../errors.ts";
import { type Labels, labelName, withLabel } from "../labels.ts";
import { compilePattern, type Groups } from "../language/regex.ts";
import type { Budget } from "./budget.ts";
import type { Context } from "./context.ts";
import { type Column, joinColumns, type Vector, vectorOf } from "./values.ts";

const reference = /\$(?:\$|(\w+)|\{(\w+)\})/g;

/** Value of a label, from those of a series; undefined: the labels stay as they are. */
type Change = (labels: Labels) => string | undefined;

/**
 * Sets a label by groups of another one's value, where the whole of it matches.
 * @throws PromqlError `bad_data` for a pattern or a label that is malformed, `execution` where series become alike
 */
export function replaceLabel(
  vector: Vector,
  [destination = "", template = "", source = "", pattern = ""]: readonly string[],
  context: Context,
): Promise<Vector> {
  const target = quotedLabel(destination, "destination label name in label_replace()");
  const { budget } = context;
  const label = labelName(source);
  const compiled = compilePattern(pattern);
  const parts = parseTemplate(template);
  const hasGroups = parts.some(({ group }) => group !== undefined);
  return relabel(vector, { target, context }, (labels) => {
    const text = labels.get(label) ?? "";
    const cost = compiled.costOf(text, hasGroups);
    budget.check("match", cost);
    budget.take("matches", cost);
    if (!hasGroups) return compiled.matches(text) ? parts[0]!.text : undefined;
    const groups = compiled.groupsOf(text);
    return groups ? expand(parts, groups, budget) : undefined;
  });
}

/** Joins values of labels into one. @throws PromqlError `bad_data`, `execution` where series become alike */
export function joinLabels(
  vector: Vector,
  [destination = "", separator = "", ...names]: readonly string[],
  context: Context,
): Promise<Vector> {
  const target = quotedLabel(destination, "destination label name in label_join()");
  const sources = names.map((name) => quotedLabel(name, "source label name in label_join()"));
  return relabel(vector, { target, context }, (labels) => {
    const values = sources.map((source) => labels.get(source) ?? "");
    const separators = separator.length * Math.max(0, values.length - 1);
    context.budget.check(
      "label",
      values.reduce((sum, { length }) => sum + length, separators),
    );
    return values.join(separator);
  });
}

/** Labels with one that a function has made. @throws PromqlError `execution` beyond the budget */
export function setLabel(
  labels: Labels,
  [name, value]: readonly [name: string, value: string],
  budget: Budget,
): Labels {
  budget.check("label", Math.max(name.length, value.length));
  let characters = name.length + value.length;
  for (const [known, text] of labels) characters += known.length + text.length;
  budget.take("characters", characters);
  return withLabel(labels, name, value);
}

/**
 * The label of a name in a text, as series have it: Prometheus 3 takes any text but the empty one.
 * @param place in the error
 * @throws PromqlError `bad_data`
 */
export function quotedLabel(name: string, place: string): string {
  if (name === "") throw badData(`invalid ${place}: ${JSON.stringify(name)}`);
  return labelName(name);
}

/** A text, with the group that follows it. */
interface TemplatePart {
  readonly text: string;
  readonly group?: string;
}

function parseTemplate(template: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let [from, text] = [0, ""];
  for (const { 0: whole, 1: plain, 2: braced, index } of template.matchAll(reference)) {
    text += template.slice(from, index);
    from = index + whole.length;
    const group = plain ?? braced;
    if (group === undefined) text += "$";
    else {
      parts.push({ text, group });
      text = "";
    }
  }
  return [...parts, { text: text + template.slice(from) }];
}

/** The length is known before the text is made: a group may be named any number of times. */
function expand(parts: readonly TemplatePart[], groups: Groups, budget: Budget): string {
  const texts = parts.flatMap(({ text, group }) =>
    group === undefined ? [text] : [text, groups.find(group)],
  );
  budget.check(
    "label",
    texts.reduce((sum, { length }) => sum + length, 0),
  );
  return texts.join("");
}

async function relabel(
  { columns }: Vector,
  { target, context: { budget } }: { readonly target: string; readonly context: Context },
  change: Change,
): Promise<Vector> {
  budget.takeValues(columns.length, 0);
  const changed: Column[] = [];
  for (const column of columns) {
    const value = change(column.labels);
    const labels = value === undefined ? column.labels : setLabel(column.labels, [target, value], budget);
    changed.push({ ...column, labels });
    await budget.pace();
  }
  return vectorOf(joinColumns(changed));
}
