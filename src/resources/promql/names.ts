// Names of series for PromQL: fields and tags become names of metrics and labels, by the character set of Prometheus.
import type { FieldQuery } from "../../core/series/samples.ts";
import { type Labels, labelName, makeLabels, NAME } from "../../promql/labels.ts";
import { type Matcher, makeMatcher } from "../../promql/language/matcher.ts";

/** Tags of a selection that are looked up by an index. */
const MAX_INDEXED = 8;

/** `<measurement>_<field>`; other characters than letters, digits and `:` become `_`. */
export function metricName(measurement: string, field: string): string {
  const name = `${measurement}${measurement === "" ? "" : "_"}${field}`.replace(/[^a-zA-Z0-9_:]/g, "_");
  return /^[0-9]/.test(name) || name === "" ? `_${name}` : name;
}

/** A matcher of names that were quoted for their characters, as `{"http.duration"}`, by the names that series have. */
export function asNamed({ name, op, value, matches }: Matcher): Matcher {
  if (name !== NAME) return { name: labelName(name), op, value, matches };
  const isExact = (op === "=" || op === "!=") && value !== "";
  return isExact ? makeMatcher(NAME, op, metricName("", value)) : { name, op, value, matches };
}

/**
 * Labels of a series.
 * @param own labels that tags must not hide: a tag of the same name gets the prefix `exported_`, as in Prometheus
 */
export function labelsOf(
  name: string,
  own: Readonly<Record<string, string>>,
  tags: Readonly<Record<string, string>>,
): Labels {
  const labels = new Map([[NAME, name]]);
  let [last, isMade] = [NAME, name !== ""];
  const add = (label: string, value: string) => {
    if (label < last || value === "") isMade = false;
    labels.set(label, value);
    last = label;
  };
  for (const label in own) add(label, own[label]!);
  for (const tag in tags) {
    let label = labelName(tag);
    while (labels.has(label)) label = `exported_${label}`;
    add(label, tags[tag]!);
  }
  // Tags are stored in order, which most labels keep.
  return isMade ? labels : makeLabels(labels);
}

/**
 * What a store may look for by its indexes: names of fields, and tags that labels stand for. A label with `_` may stand
 * for several tags; it is compared afterwards.
 */
export function fieldQueryOf(matchers: readonly Matcher[], own: ReadonlySet<string>): FieldQuery {
  const names = matchers.filter(({ name }) => name === NAME);
  const tags = matchers
    .filter(({ name, op, value }) => op === "=" && value !== "" && !name.includes("_") && !own.has(name))
    .slice(0, MAX_INDEXED)
    .map(({ name: tag, value }) => ({ tag, value }));
  return {
    matches: (measurement, field) => {
      const name = metricName(measurement, field);
      return names.every((matcher) => matcher.matches(name));
    },
    tags,
  };
}

/** Whether a label of a known value can be in the selection. */
export function admits(matchers: readonly Matcher[], label: string, value: string): boolean {
  return matchers.every(({ name, matches }) => name !== label || matches(value));
}
