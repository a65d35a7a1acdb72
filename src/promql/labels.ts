// Labels of series: sorted by name, without empty values, the metric's name among them as `__name__`.

export type Labels = ReadonlyMap<string, string>;

export const NAME = "__name__";
export const noLabels: Labels = new Map();

const SEPARATOR = "\u0000";

/** The label of a tag, or of a quoted name: other characters than letters and digits become `_`. */
export function labelName(tag: string): string {
  const name = tag.replace(/[^a-zA-Z0-9_]/g, "_");
  return /^[0-9]/.test(name) || name === "" ? `_${name}` : name;
}

/** Empty values are left out, as a label without a value is absent. */
export function makeLabels(entries: Iterable<readonly [name: string, value: string]>): Labels {
  const kept: (readonly [name: string, value: string])[] = [];
  let isSorted = true;
  for (const entry of entries) {
    if (entry[1] === "") continue;
    if (kept.length > 0 && entry[0] < kept[kept.length - 1]![0]) isSorted = false;
    kept.push(entry);
  }
  return new Map(isSorted ? kept : kept.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Identity of a label set, or of some of its labels. */
export function keyOf(labels: Labels, isPart?: (name: string) => boolean): string {
  let key = "";
  for (const [name, value] of labels)
    if (!isPart || isPart(name)) key += name + SEPARATOR + value + SEPARATOR;
  return key;
}

/** In the order of the results of range queries: label by label, name before value; shorter sets first. */
export function sortByLabels<T extends { readonly labels: Labels }>(list: readonly T[]): T[] {
  const listed = list.map((entry) => ({ entry, texts: textsOf(entry.labels) }));
  return listed.sort((a, b) => compareTexts(a.texts, b.texts)).map(({ entry }) => entry);
}

/** The second of two neighbours with the same labels. */
export function findRepeated(sorted: readonly { readonly labels: Labels }[]): Labels | undefined {
  return sorted.find(({ labels }, i) => i > 0 && areEqual(labels, sorted[i - 1]!.labels))?.labels;
}

function areEqual(a: Labels, b: Labels): boolean {
  if (a.size !== b.size) return false;
  for (const [name, value] of a) if (b.get(name) !== value) return false;
  return true;
}

/** Names and values, in turns: each set is listed once, and compared many times. */
function textsOf(labels: Labels): string[] {
  const texts: string[] = [];
  for (const [name, value] of labels) texts.push(name, value);
  return texts;
}

function compareTexts(a: readonly string[], b: readonly string[]): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return a[i]! < b[i]! ? -1 : 1;
  return a.length - b.length;
}

export function dropName(labels: Labels): Labels {
  return labels.has(NAME) ? filterLabels(labels, isNoName) : labels;
}

function isNoName(name: string): boolean {
  return name !== NAME;
}

/** Whether all sets have the same name, so that those that differ also differ without it. */
export function haveOneName(series: readonly { readonly labels: Labels }[]): boolean {
  const name = series[0]?.labels.get(NAME);
  return series.every(({ labels }) => labels.get(NAME) === name);
}

export function dropLabels(labels: Labels, names: ReadonlySet<string>): Labels {
  return filterLabels(labels, (name) => !names.has(name));
}

export function keepLabels(labels: Labels, names: ReadonlySet<string>): Labels {
  return filterLabels(labels, (name) => names.has(name));
}

export function filterLabels(labels: Labels, isKept: (name: string) => boolean): Labels {
  const kept = new Map<string, string>();
  for (const [name, value] of labels) if (isKept(name)) kept.set(name, value);
  return kept;
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
