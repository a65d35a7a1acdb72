// Groups of series that share the values of some labels.
import { filterLabels, keyOf, type Labels, NAME } from "../labels.ts";
import type { Column } from "./values.ts";

export interface Grouping {
  readonly grouping: readonly string[];
  /** Groups by all other labels; drops the name, too. */
  readonly isWithout: boolean;
}

/** Of a group: a key that tells it from others, and the labels that its series share. */
export class GroupLabels {
  readonly #isKept: (name: string) => boolean;
  readonly #only: string | undefined;

  /** @param dropsNames groups as if series had no names */
  constructor({ grouping, isWithout }: Grouping, dropsNames = false) {
    const names = new Set(isWithout ? [...grouping, NAME] : grouping);
    if (!isWithout && dropsNames) names.delete(NAME);
    this.#isKept = (name) => names.has(name) !== isWithout;
    this.#only = !isWithout && names.size === 1 ? [...names][0] : undefined;
  }

  keyOf(labels: Labels): string {
    return this.#only === undefined ? keyOf(labels, this.#isKept) : (labels.get(this.#only) ?? "");
  }

  labelsOf(labels: Labels): Labels {
    return filterLabels(labels, this.#isKept);
  }
}

export interface Group {
  readonly labels: Labels;
  readonly columns: Column[];
}

/** In the order of their first series. */
export function groupColumns(columns: readonly Column[], grouping: Grouping): Group[] {
  const groupLabels = new GroupLabels(grouping);
  const groups = new Map<string, Group>();
  for (const column of columns) {
    const key = groupLabels.keyOf(column.labels);
    const known = groups.get(key);
    if (known) known.columns.push(column);
    else groups.set(key, { labels: groupLabels.labelsOf(column.labels), columns: [column] });
  }
  return [...groups.values()];
}
