// Fields of a form with label, help and error; optional ones are folded.
import { texts, zoneName } from "../../state/preferences.ts";
import { Choices } from "./choices.tsx";
import { countEntries, type Draft, entryFields, removeEntry } from "./draft.ts";
import { FieldInput, Labelled, nameOfField } from "./field-input.tsx";
import { type Field, partFields } from "./fields.ts";

/** Names in the summary of further fields. */
const NAMED = 4;

export interface FormProps {
  readonly fields: readonly Field[];
  /** A signal, or a part of one. */
  readonly draft: { value: Draft };
  /** Texts by path, as of `placeErrors`. */
  readonly errors: ReadonlyMap<string, string>;
  /** Whether secrets may be stored that the form does not know. */
  readonly isStored: boolean;
}

export function FormFields(form: FormProps) {
  const { main, more } = partFields(form.fields);
  const isOpen = more.some(({ path }) => [...form.errors.keys()].some((at) => at.startsWith(path)));
  return (
    <>
      <FieldList {...form} fields={main} />
      {more.length > 0 && (
        <details open={isOpen || undefined}>
          <summary>{texts.value.form.more(more.slice(0, NAMED).map(nameOfField).join(", "))}</summary>
          <div class="form">
            <FieldList {...form} fields={more} />
          </div>
        </details>
      )}
    </>
  );
}

/** All of the fields, none behind a summary. */
export function FieldList({ fields, ...form }: FormProps) {
  return (
    <>
      {fields.map((field) => (
        <Entry key={field.path} field={field} {...form} />
      ))}
    </>
  );
}

type EntryProps<F = Field> = Omit<FormProps, "fields"> & { readonly field: F };

function Entry({ field, ...form }: EntryProps) {
  if (field.kind === "group") return <Group field={field} {...form} />;
  if (field.kind === "items") return <Items field={field} {...form} />;
  const { draft, errors, isStored } = form;
  const input = {
    error: errors.get(field.path),
    onInput: (value: Draft[string]) => (draft.value = { ...draft.value, [field.path]: value }),
  };
  if (field.kind === "choices") return <Choices field={field} draft={draft.value} {...input} />;
  return <FieldInput field={field} value={draft.value[field.path]} isStored={isStored} {...input} />;
}

/** An optional group is behind its name while it is empty. */
function Group({ field, ...form }: EntryProps<Field & { kind: "group" }>) {
  const { path, isRequired, fields } = field;
  if (!isRequired) {
    const begins = (other: string) => other === path || other.startsWith(`${path}.`);
    const isOpen = [...form.errors.keys(), ...Object.keys(form.draft.value)].some(begins);
    return (
      <details open={isOpen || undefined}>
        <summary>{nameOfField(field)}</summary>
        <fieldset class="group">
          <Labelled field={field} error={form.errors.get(path)} />
          <FieldList {...form} fields={fields} />
        </fieldset>
      </details>
    );
  }
  return (
    <fieldset class="group">
      <Labelled field={field} error={form.errors.get(field.path)} />
      <FieldList {...form} fields={field.fields} />
    </fieldset>
  );
}

/** Entries of a list of objects; a required list begins with one. */
function Items({ field, ...form }: EntryProps<Field & { kind: "items" }>) {
  const { draft } = form;
  const { add, remove } = texts.value.form;
  const count = countEntries(field, draft.value);
  const name = nameOfField(field);
  // Hours are typed beside times in the shown zone.
  const hasZone = field.fields.some(({ key }) => key === "timezone");
  const zone = hasZone ? { [`${field.path}.${count}.timezone`]: zoneName.value } : {};
  return (
    <fieldset class="group">
      <Labelled field={field} error={form.errors.get(field.path)} />
      {Array.from({ length: count }, (_, i) => (
        <div class="row" key={i}>
          <FieldList {...form} fields={entryFields(field, i)} />
          <button
            type="button"
            aria-label={`${remove}: ${name} ${i + 1}`}
            onClick={() => (draft.value = removeEntry(field, draft.value, i))}
          >
            {remove}
          </button>
        </div>
      ))}
      <button
        type="button"
        aria-label={`${add}: ${name}`}
        onClick={() => (draft.value = { ...draft.value, ...zone, [field.path]: count + 1 })}
      >
        {add}
      </button>
    </fieldset>
  );
}
