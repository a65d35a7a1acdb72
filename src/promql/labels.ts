// Labels of series: sorted by name, without empty values, the metric's name among them as `__name__`.

export type Labels = ReadonlyMap<string, string>;

export const NAME = "__name__";
export const noLabels: Labels = new Map();

const SEPARATOR = "\u0000";

/** Empty values are left out, as a label without a value is absent. */
export function makeLabels(entries: Iterable<readonly [name: string, value: string]>): Labels {
  const kept = [...entries].filter(([, value]) => value !== "");
  return new Map(kept.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Identity of a label set. */
export function keyOf(labels: Labels): string {
  let key = "";
  for (const [name, value] of labels) key += name + SEPARATOR + value + SEPARATOR;
  return key;
}

/** Order of the results of range queries: label by label, name before value; shorter sets first. */
export function compareLabels(a: Labels, b: Labels): number {
  const [left, right] = [[...a], [...b]];
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i++)
    for (const part of [0, 1] as const) {
      const [x, y] = [left[i]![part], right[i]![part]];
      if (x !== y) return x < y ? -1 : 1;
    }
  return left.length - right.length;
}

export function dropName(labels: Labels): Labels {
  return labels.has(NAME) ? dropLabels(labels, new Set([NAME])) : labels;
}

export function dropLabels(labels: Labels, names: ReadonlySet<string>): Labels {
  return new Map([...labels].filter(([name]) => !names.has(name)));
}

export function keepLabels(labels: Labels, names: ReadonlySet<string>): Labels {
  return new Map([...labels].filter(([name]) => names.has(name)));
}

/** @param value empty: the label is removed */
export function withLabel(labels: Labels, name: string, value: string): Labels {
  return makeLabels([...[...labels].filter(([known]) => known !== name), [name, value]]);
}

/** As in `name{a="b"}`. */
export function formatLabels(labels: Labels): string {
  const pairs = [...dropName(labels)].map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `${labels.get(NAME) ?? ""}{${pairs.join(", ")}}`;
}
