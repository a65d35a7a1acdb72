// Groups of series by some of their labels.
import { dropLabels, keepLabels, keyOf, type Labels, NAME } from "../labels.ts";
import type { Column } from "./values.ts";

export interface Grouping {
  readonly grouping: readonly string[];
  readonly isWithout: boolean;
}

export interface Group {
  readonly labels: Labels;
  readonly columns: Column[];
}

/** In the order of their first series. `without` drops the name, too. */
export function groupColumns(columns: readonly Column[], { grouping, isWithout }: Grouping): Group[] {
  const names = new Set(isWithout ? [...grouping, NAME] : grouping);
  const groups = new Map<string, Group>();
  for (const column of columns) {
    const labels = isWithout ? dropLabels(column.labels, names) : keepLabels(column.labels, names);
    const key = keyOf(labels);
    const known = groups.get(key);
    if (known) known.columns.push(column);
    else groups.set(key, { labels, columns: [column] });
  }
  return [...groups.values()];
}
