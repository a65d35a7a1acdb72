// Fields of a form with label, help and error; optional ones are folded.
import { useState } from "preact/hooks";
import { texts, zoneName } from "../../state/preferences.ts";
import { Choices } from "./choices.tsx";
import { countEntries, type Draft, entryFields, removeEntry, touches } from "./draft.ts";
import { FieldInput, Labelled, nameOfField, wordsOfValue } from "./field-input.tsx";
import { type Field, partFields } from "./fields.ts";
import { Opening } from "./opening.tsx";

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
  return <Folded {...form} fields={main} more={more} isOpen={false} />;
}

/** All of the fields; those that are rare and were not given at first are behind a summary. */
export function FieldList({ fields, ...form }: FormProps) {
  // What is typed stays where it is.
  const [given] = useState(
    () => new Set(fields.map(({ path }) => path).filter((path) => isGiven(form, path))),
  );
  const isMain = ({ isRare, path }: Field) => !isRare || given.has(path);
  const more = fields.filter((field) => !isMain(field));
  const isOpen = more.some(({ path }) => isGiven(form, path));
  return <Folded {...form} fields={fields.filter(isMain)} more={more} isOpen={isOpen} />;
}

interface FoldedProps extends FormProps {
  readonly more: readonly Field[];
  readonly isOpen: boolean;
}

function Folded({ fields, more, isOpen, ...form }: FoldedProps) {
  const isWrong = more.some(({ path }) => touches(form.errors.keys(), path));
  return (
    <>
      {fields.map((field) => (
        <Entry key={field.path} field={field} {...form} />
      ))}
      {more.length > 0 && (
        <Opening isOpen={isOpen || isWrong}>
          <summary>{texts.value.form.more(more.slice(0, NAMED).map(nameOfField).join(", "))}</summary>
          <div class="form">
            {more.map((field) => (
              <Entry key={field.path} field={field} {...form} />
            ))}
          </div>
        </Opening>
      )}
    </>
  );
}

function isGiven({ draft }: Pick<FormProps, "draft">, path: string): boolean {
  return touches(Object.keys(draft.value), path);
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
    const isOpen = touches([...form.errors.keys(), ...Object.keys(form.draft.value)], path);
    return (
      <Opening isOpen={isOpen}>
        <summary>{nameOfField(field)}</summary>
        <fieldset class="group">
          <Labelled field={field} error={form.errors.get(path)} isNamed />
          <FieldList {...form} fields={fields} />
        </fieldset>
      </Opening>
    );
  }
  return (
    <fieldset class="group">
      <Labelled field={field} error={form.errors.get(field.path)} />
      <FieldList {...form} fields={field.fields} />
    </fieldset>
  );
}

/** Entries of a list of objects; a required list begins with one. Of several stored ones each is behind its name. */
function Items({ field, ...form }: EntryProps<Field & { kind: "items" }>) {
  const { draft } = form;
  const { add } = texts.value.form;
  const count = countEntries(field, draft.value);
  const [stored] = useState(count);
  // Hours are typed beside times in the shown zone.
  const hasZone = field.fields.some(({ key }) => key === "timezone");
  const zone = hasZone ? { [`${field.path}.${count}.timezone`]: zoneName.value } : {};
  return (
    <fieldset class="group">
      <Labelled field={field} error={form.errors.get(field.path)} />
      {Array.from({ length: count }, (_, i) => (
        <Item key={i} field={field} index={i} isFolded={stored > 1 && i < stored} {...form} />
      ))}
      <button
        type="button"
        aria-label={`${add}: ${nameOfField(field)}`}
        onClick={() => (draft.value = { ...draft.value, ...zone, [field.path]: count + 1 })}
      >
        {add}
      </button>
    </fieldset>
  );
}

interface ItemProps extends EntryProps<Field & { kind: "items" }> {
  readonly index: number;
  readonly isFolded: boolean;
}

function Item({ field, index, isFolded, ...form }: ItemProps) {
  const { draft, errors } = form;
  const { remove } = texts.value.form;
  const fields = entryFields(field, index);
  const row = (
    <div class="row">
      <FieldList {...form} fields={fields} />
      <button
        type="button"
        aria-label={`${remove}: ${nameOfField(field)} ${index + 1}`}
        onClick={() => (draft.value = removeEntry(field, draft.value, index))}
      >
        {remove}
      </button>
    </div>
  );
  if (!isFolded) return row;
  const words = fields.flatMap((each) =>
    each.kind === "items" ? [] : wordsOfValue(each, draft.value[each.path]) || [],
  );
  return (
    <Opening isOpen={touches(errors.keys(), `${field.path}.${index}`)}>
      <summary>{words.slice(0, NAMED).join(", ") || index + 1}</summary>
      {row}
    </Opening>
  );
}
