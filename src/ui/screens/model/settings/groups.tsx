// Groups of the settings of a model: an index, and the given values of each; the first group is open.
import { formatDuration } from "../../../lib/format.ts";
import { buildRoute } from "../../../lib/route.ts";
import { touches } from "../../../parts/form/draft.ts";
import { nameOfField, wordsOfValue } from "../../../parts/form/field-input.tsx";
import { FieldList, type FormProps } from "../../../parts/form/form-fields.tsx";
import { fieldsOfGroup, type SettingsGroup, settingsGroups } from "../../../parts/form/model-fields.ts";
import { Opening } from "../../../parts/form/opening.tsx";
import { texts } from "../../../state/preferences.ts";

const idOf = (group: SettingsGroup) => `group-${group}`;

interface GroupsProps extends Omit<FormProps, "isStored"> {
  readonly name: string;
}

export function Groups({ name, ...form }: GroupsProps) {
  const { groups, retrainElsewhere, toVersions } = texts.value.settingsTab;
  return (
    <>
      {settingsGroups.map((group, i) => {
        const fields = fieldsOfGroup(form.fields, group);
        const isWrong = fields.some(({ path }) => touches(form.errors.keys(), path));
        return (
          <Opening key={group} class="card" isOpen={i === 0 || isWrong}>
            <summary id={idOf(group)}>
              <h2>{groups[group]}</h2>
              <Given {...form} fields={fields} />
            </summary>
            <div class="form">
              <FieldList {...form} fields={fields} isStored={false} />
              {group === "training" && (
                <p class="quiet">
                  {retrainElsewhere} <a href={buildRoute(["models", name, "versions"])}>{toVersions}</a>
                </p>
              )}
            </div>
          </Opening>
        );
      })}
    </>
  );
}

/** What is set in a group; where nothing is, what could be. */
function Given({ fields, draft }: Pick<FormProps, "fields" | "draft">) {
  const given = fields.filter(({ path }) => touches(Object.keys(draft.value), path));
  if (given.length === 0) return <small>{fields.map(nameOfField).join(", ")}</small>;
  const words = given.map((field) => {
    const value = draft.value[field.path];
    // Of a model, texts that are stored as numbers are durations.
    const isSpan = field.kind === "text" && typeof value === "number";
    const shown = isSpan ? formatDuration(value) : wordsOfValue(field, value);
    return [nameOfField(field), shown].filter(Boolean).join(": ");
  });
  return <span>{words.join(", ")}</span>;
}

/** The groups of settings; links would leave the page, whose address is the part after `#`. */
export function Index() {
  const { settingsTab, modelTabs } = texts.value;
  const show = (group: SettingsGroup) => {
    const head = document.getElementById(idOf(group))!;
    (head.parentElement as HTMLDetailsElement).open = true;
    head.scrollIntoView();
    head.focus({ preventScroll: true });
  };
  return (
    <nav class="chips index" aria-label={modelTabs.names.settings}>
      {settingsGroups.map((group) => (
        <button key={group} type="button" class="chip" onClick={() => show(group)}>
          {settingsTab.groups[group]}
        </button>
      ))}
    </nav>
  );
}
