// Input of one field by its kind; a stored secret is replaced, never shown.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { texts } from "../../state/preferences.ts";
import type { Draft } from "./draft.ts";
import type { Field } from "./fields.ts";

type Value = Draft[string];

interface InputProps {
  readonly field: Field;
  readonly value: Value | undefined;
  readonly error: string | undefined;
  readonly isStored: boolean;
  readonly onInput: (value: Value) => void;
}

export function FieldInput(props: InputProps) {
  const { field, error, isStored, value } = props;
  const isReplaced = useSignal(false);
  const { hidden, replace, keep } = texts.value.form;
  if (!field.isSecret || !isStored)
    return (
      <Labelled field={field} error={error}>
        <Control {...props} />
      </Labelled>
    );
  const isTyped = isReplaced.value || Boolean(value);
  const toggle = () => {
    isReplaced.value = !isTyped;
    props.onInput("");
  };
  return (
    <Labelled field={field} error={error}>
      <span class="row">
        {isTyped ? <Control {...props} /> : <span class="quiet">{hidden}</span>}
        <button
          type="button"
          aria-label={`${isTyped ? keep : replace}: ${nameOfField(field)}`}
          onClick={toggle}
        >
          {isTyped ? keep : replace}
        </button>
      </span>
    </Labelled>
  );
}

interface LabelledProps {
  readonly field: Field;
  readonly error: string | undefined;
  /** Whether the name is seen above already. */
  readonly isNamed?: boolean;
  readonly children?: ComponentChildren;
}

/** Label, help and error around an input, or as the head of a group. */
export function Labelled({ field, error, isNamed = false, children }: LabelledProps) {
  const { path, key, help, isRequired, kind } = field;
  const { required } = texts.value.form;
  const label = nameOfField(field);
  const name = (
    <>
      {label} {isRequired && <span class="quiet">({required})</span>}
    </>
  );
  const notes = (
    <>
      {help && help !== label && (
        <small id={`${path}-help`}>
          <Prose text={help} /> {label !== wordsOf(key) && <code>{key}</code>}
        </small>
      )}
      {error && (
        <small id={`${path}-error`} class="bad">
          {error}
        </small>
      )}
    </>
  );
  if (kind === "group" || kind === "items" || kind === "choices")
    return (
      <>
        <legend class={isNamed ? "hidden" : undefined}>{name}</legend>
        {notes}
      </>
    );
  return (
    <div class={kind === "switch" ? "field switch" : "field"}>
      <label for={path}>{name}</label>
      {children}
      {notes}
    </div>
  );
}

/** `verify_ssl` as "Verify TLS", by the words of the language where it has some. */
export function nameOfField({ key, path = key }: { readonly key: string; readonly path?: string }): string {
  const { form, hooksPage } = texts.value;
  const known: Readonly<Record<string, string>> = form.names;
  // A name may mean something else in another list.
  const place = path.replace(/\.\d+\./, ".");
  for (const name of [place, key]) if (Object.hasOwn(known, name)) return known[name]!;
  const events: Readonly<Record<string, string>> = hooksPage.events;
  return Object.hasOwn(events, key) ? wordsOf(events[key]!) : form.nameOf(key, wordsOf(key));
}

/** `level_shift` as "Level shift". */
export function wordsOf(key: string): string {
  const words = key.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `auto` of the setting `detector` in words, with what the API calls it; what has no words stays as it is. */
export function wordsOfChoice(key: string, choice: string): string {
  const known: Readonly<Record<string, string>> = texts.value.form.values;
  const words = known[`${key}.${choice}`] ?? known[choice];
  return words === undefined ? choice : `${words} (${choice})`;
}

/** A given value in one line; empty for what has parts of its own. */
export function wordsOfValue({ key, kind }: Field, value: Value | undefined): string {
  if (kind === "choice") return value === undefined ? "" : wordsOfChoice(key, String(value));
  return kind === "group" || kind === "map" ? "" : String(value ?? "").replaceAll("\n", ", ");
}

/** Text whose backticks mark code. */
export function Prose({ text }: { text: string }) {
  return <>{text.split("`").map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))}</>;
}

function Control({ field, value, error, onInput }: InputProps) {
  const { path, key, kind, help, hint, isRequired, isSecret } = field;
  const described = [help && `${path}-help`, error && `${path}-error`].filter(Boolean).join(" ");
  const common = {
    id: path,
    "aria-invalid": error !== undefined,
    ...(described && { "aria-describedby": described }),
  };
  const text = String(value ?? "");
  if (kind === "switch")
    return (
      <input
        {...common}
        type="checkbox"
        checked={value === undefined ? field.fallback : value === true}
        onChange={({ currentTarget }) => onInput(currentTarget.checked)}
      />
    );
  if (kind === "choice")
    return (
      <select {...common} value={text} onChange={({ currentTarget }) => onInput(currentTarget.value)}>
        <option value="">{wordsOfChoice(key, hint)}</option>
        {field.choices
          .filter((choice) => choice !== hint)
          .map((choice) => (
            <option key={choice} value={choice}>
              {wordsOfChoice(key, choice)}
            </option>
          ))}
      </select>
    );
  const isLines = kind === "list" || kind === "map" || kind === "json" || (kind === "text" && field.isLong);
  const typed = {
    ...common,
    value: text,
    required: isRequired && !isSecret,
    placeholder: kind === "map" ? "key: value" : hint,
    spellcheck: false,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => onInput(currentTarget.value),
  };
  if (isLines) return <textarea {...typed} rows={kind === "text" ? 4 : 3} autocomplete="off" />;
  // Browsers take several inputs of passwords for several logins.
  if (isSecret) return <input {...typed} class="secret" type="text" autocomplete="off" />;
  return <input {...typed} autocomplete="off" inputMode={kind === "number" ? "decimal" : "text"} />;
}
