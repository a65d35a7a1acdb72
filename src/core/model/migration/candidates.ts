// Models of a template, found by their settings: a model does not store the template it was made from.
import { matchesGlob } from "../../input/name-pattern.ts";
import { globOfParams, isOpenText } from "../../input/params.ts";
import type { ModelSettings } from "../model.ts";
import type { TemplateSettings } from "../template.ts";

/**
 * Whether a model could have been made from a template: its name has the form of the template's. A form that any name
 * has, as `{{host}}`, also requires features of the template's names.
 */
export function isOfTemplate(
  template: TemplateSettings,
  { name, features }: Pick<ModelSettings, "name" | "features">,
): boolean {
  if (!hasForm(template.name, name)) return false;
  if (/[^*]/.test(globOfParams(String(template.name)))) return true;
  const own = featuresOf(template);
  const matches = (feature: Record<string, unknown>) =>
    features.some((known) => hasForm(feature.name, known.name));
  return own.length > 0 && own.length === features.length && own.every(matches);
}

/** Tags of `match_all` whose value is a parameter of the template, in their order. */
export function parameterTags(template: TemplateSettings): string[] {
  const matches = featuresOf(template).flatMap(({ match_all }) =>
    Array.isArray(match_all) ? match_all : [],
  );
  return [...new Set(matches.filter(({ value }) => isOpenText(value)).map(({ tag }) => String(tag)))];
}

function featuresOf({ features }: TemplateSettings): readonly Record<string, unknown>[] {
  return Array.isArray(features) ? features : [];
}

function hasForm(form: unknown, text: string): boolean {
  return typeof form === "string" && matchesGlob([...globOfParams(form)], [...text]);
}
