// Model templates: model settings with `{{param}}` in any text.
import { invalid } from "../errors.ts";
import { isRecord } from "../input/json.ts";
import { fillTemplate, isOpenText, type ParamValue } from "../input/params.ts";
import { checkOutline } from "../input/schema.ts";
import { tidyModel } from "./input.ts";
import { ModelSettings } from "./model.ts";

/** Settings with placeholders. */
export type TemplateSettings = Readonly<Record<string, unknown>>;

/**
 * Checks the keys of a template, and the values without a parameter.
 * @returns the settings, legacy `features` as one list
 * @throws TorusError `invalid` with the path and the rule
 */
export function checkTemplate(body: unknown): TemplateSettings {
  if (!isRecord(body))
    throw invalid("body", "must be a JSON object: the settings of a model, with {{param}} in any text");
  const settings = tidyModel(body);
  checkOutline(ModelSettings, settings, isOpenText);
  return settings;
}

/**
 * Fills a template; the result is not checked as a model yet.
 * @param params values by name; unknown names are ignored
 * @throws TorusError `invalid` naming the missing parameters, or one that is no plain value
 */
export function fillSettings(settings: TemplateSettings, params: unknown): unknown {
  const given = params ?? {};
  if (!isRecord(given)) throw invalid("body", "must be a JSON object: the values of the parameters by name");
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === "object" && value !== null)
      throw invalid(name, "must be a text, a number, a boolean or null");
  }
  return fillTemplate(settings, given as Record<string, ParamValue>);
}
