// Functions that change labels: label_replace and label_join.
import { badData } from "../errors.ts";
import { type Labels, withLabel } from "../labels.ts";
import { compilePattern, type Groups } from "../language/regex.ts";
import { type Column, joinColumns, type Vector, vectorOf } from "./values.ts";

const isLabelName = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
const reference = /\$(?:\$|(\w+)|\{(\w+)\})/g;

/**
 * Sets a label by groups of another one's value, where the whole of it matches.
 * @throws PromqlError `bad_data` for a pattern or a label that is malformed, `execution` where series become alike
 */
export function replaceLabel(
  vector: Vector,
  [target = "", template = "", source = "", pattern = ""]: readonly string[],
): Vector {
  checkLabel(target, "destination label name in label_replace()");
  const compiled = compilePattern(pattern);
  return relabel(vector, (labels) => {
    const groups = compiled.groupsOf(labels.get(source) ?? "");
    return groups ? withLabel(labels, target, expand(template, groups)) : labels;
  });
}

/** Joins values of labels into one. @throws PromqlError `bad_data`, `execution` where series become alike */
export function joinLabels(
  vector: Vector,
  [target = "", separator = "", ...sources]: readonly string[],
): Vector {
  checkLabel(target, "destination label name in label_join()");
  for (const source of sources) checkLabel(source, "source label name in label_join()");
  return relabel(vector, (labels) =>
    withLabel(labels, target, sources.map((source) => labels.get(source) ?? "").join(separator)),
  );
}

function checkLabel(name: string, place: string): void {
  if (!isLabelName.test(name)) throw badData(`invalid ${place}: ${name}`);
}

function expand(template: string, groups: Groups): string {
  return template.replace(reference, (_, plain?: string, braced?: string) => {
    const name = plain ?? braced;
    return name === undefined ? "$" : groups.find(name);
  });
}

function relabel({ columns }: Vector, change: (labels: Labels) => Labels): Vector {
  const changed: Column[] = columns.map((column) => ({ ...column, labels: change(column.labels) }));
  return vectorOf(joinColumns(changed));
}
