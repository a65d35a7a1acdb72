// Step two of a model from a template: a value for each parameter, in the address.

import type { TemplateView } from "../../../api/template.ts";
import { isOpenText } from "../../../core/input/params.ts";
import { texts } from "../../state/preferences.ts";
import { route, setParams } from "../../state/route.ts";
import { Step } from "./step.tsx";

export type { TemplateView };

/** Prefix of parameters in the address. */
const PREFIX = "p.";

/** Values of the parameters that are given. */
export function readParams({ params }: TemplateView): Readonly<Record<string, string>> {
  const given = params.flatMap((name) => {
    const value = route.value.params[`${PREFIX}${name}`];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(given);
}

export function TemplateParams({ template }: { template: TemplateView }) {
  const { newModel: own } = texts.value;
  const { params, name, settings } = template;
  const values = readParams(template);
  return (
    <Step number={2} title={own.templateWhat(name)} isDone={params.every((key) => values[key] !== undefined)}>
      <div class="form">
        {params.length === 0 && <p class="quiet">{own.noParams}</p>}
        {!isOpenText(settings.name) && <p class="quiet">{own.fixedName(String(settings.name))}</p>}
        {params.map((key) => (
          <label key={key}>
            {key}
            <input
              value={values[key] ?? ""}
              autocomplete="off"
              spellcheck={false}
              onInput={({ currentTarget }) =>
                setParams({ [`${PREFIX}${key}`]: currentTarget.value || undefined })
              }
            />
          </label>
        ))}
      </div>
    </Step>
  );
}
