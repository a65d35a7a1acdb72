// Controls under their labels, chips of which one is pressed, and forms that send once.
import type { ComponentChildren, JSX } from "preact";
import type { Action } from "../action.ts";
import { ProblemNote } from "../notes.tsx";

/** A value, or a value and its text. */
type Option<V extends string> = V | readonly [value: V, text: string];

interface SelectProps<V extends string> {
  readonly label: ComponentChildren;
  readonly value?: V;
  readonly options: readonly Option<V>[];
  readonly required?: boolean;
  readonly disabled?: boolean;
  readonly onChange: (value: V) => void;
  /** What stands below. */
  readonly children?: ComponentChildren;
}

export function Select<V extends string>({ label, options, onChange, children, ...rest }: SelectProps<V>) {
  return (
    <label>
      {label}{" "}
      <select {...rest} onChange={({ currentTarget }) => onChange(currentTarget.value as V)}>
        {options.map((option) => {
          const [value, text] = typeof option === "string" ? [option, option] : option;
          return (
            <option key={value} value={value}>
              {text}
            </option>
          );
        })}
      </select>
      {children}
    </label>
  );
}

type Attributes = Omit<
  JSX.IntrinsicElements["input"],
  "label" | "list" | "onInput" | "ref" | "role" | "type"
>;

interface InputProps extends Attributes {
  readonly label: ComponentChildren;
  readonly onInput: (value: string) => void;
  /** What stands below. */
  readonly children?: ComponentChildren;
}

export function Input({ label, onInput, children, ...rest }: InputProps) {
  return (
    <label>
      {label} <input {...rest} onInput={({ currentTarget }) => onInput(currentTarget.value)} />
      {children}
    </label>
  );
}

interface CheckProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

export function Check({ label, isOn, onChange }: CheckProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />{" "}
      {label}
    </label>
  );
}

interface ChipsProps<V extends string | number> {
  readonly legend: string;
  readonly isLegendShown?: boolean;
  readonly values: readonly V[];
  readonly nameOf: (value: V) => string;
  readonly isPressed: (value: V) => boolean;
  readonly onPick: (value: V) => void;
  /** What stands behind them. */
  readonly children?: ComponentChildren;
}

export function Chips<V extends string | number>({ legend, children, ...props }: ChipsProps<V>) {
  return (
    <fieldset class="chips">
      <legend class={props.isLegendShown ? "" : "hidden"}>{legend}</legend>
      {props.values.map((value) => (
        <button
          key={value}
          type="button"
          class="chip"
          aria-pressed={props.isPressed(value)}
          onClick={() => props.onPick(value)}
        >
          {props.nameOf(value)}
        </button>
      ))}
      {children}
    </fieldset>
  );
}

interface FormProps {
  readonly action: Action;
  readonly onSubmit: () => unknown;
  /** Of the button that sends it; absent: `children` have it. */
  readonly send?: string;
  readonly children: ComponentChildren;
}

/** A form whose refusal stands above its button. */
export function ActionForm({ action, onSubmit, send, children }: FormProps) {
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void onSubmit();
      }}
    >
      {children}
      {action.problem.value && <ProblemNote problem={action.problem.value} />}
      {send !== undefined && (
        <button type="submit" class="primary" disabled={action.isBusy.value}>
          {send}
        </button>
      )}
    </form>
  );
}
