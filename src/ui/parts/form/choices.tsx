// Checkboxes of a list of choices; the defaults are checked until one is changed.
import { texts } from "../../state/preferences.ts";
import { chosenOf, type Draft } from "./draft.ts";
import { Labelled, wordsOf } from "./field-input.tsx";
import type { Field } from "./fields.ts";

interface ChoicesProps {
  readonly field: Field & { kind: "choices" };
  readonly draft: Draft;
  readonly error: string | undefined;
  readonly onInput: (value: string) => void;
}

export function Choices({ field, draft, error, onInput }: ChoicesProps) {
  const chosen = chosenOf(field, draft);
  const { form, mute } = texts.value;
  const names: Readonly<Record<string, string>> = { ...form.choices, ...mute.days };
  const toggle = (choice: string, isChosen: boolean) =>
    onInput(field.choices.filter((each) => (each === choice ? isChosen : chosen.includes(each))).join("\n"));
  return (
    <fieldset class="group choices">
      <Labelled field={field} error={error} />
      {field.choices.map((choice) => (
        <label key={choice} class="check">
          <input
            type="checkbox"
            checked={chosen.includes(choice)}
            aria-invalid={error !== undefined}
            onChange={({ currentTarget }) => toggle(choice, currentTarget.checked)}
          />
          {names[choice] ?? wordsOf(choice)}
        </label>
      ))}
    </fieldset>
  );
}
