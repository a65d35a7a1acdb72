// What a feature means in PromQL: a selector of series, its name and matchers escaped.
import { invalid } from "../../core/errors.ts";
import type { FeatureQuery } from "../kind.ts";

const labelName = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/**
 * `{__name__="m_f",tag="value"}`: the name stands among the matchers, where any text may stand.
 * @throws TorusError `invalid` for a tag that PromQL has no way to name
 */
export function selectSeries({ field, measurement, tags }: FeatureQuery): string {
  const matchers = tags.map(({ tag, value }) => `${requireLabel(tag)}=${quote(value)}`);
  return `{${[`__name__=${quote(nameMetric(field, measurement))}`, ...matchers].join(",")}}`;
}

/**
 * Name of a field's metric, with its measurement in front as other programs join them. What was observed beside a
 * prediction is saved as `@<feature>`, which is no name here: it becomes `observed_<feature>`.
 */
export function nameMetric(field: string, measurement: string | undefined): string {
  const name = field.replace(/^@/, "observed_");
  return measurement ? `${measurement}_${name}` : name;
}

/** @throws TorusError `invalid` where the text cannot be the name of a label */
export function requireLabel(tag: string): string {
  if (labelName.test(tag)) return tag;
  throw invalid(
    "",
    `Prometheus has no label ${JSON.stringify(tag.slice(0, 64))}: letters, digits and _, not beginning with a digit`,
  );
}

function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}
