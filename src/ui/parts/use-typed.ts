// Text of a field that takes effect when the field is left: a render meanwhile keeps what was typed.
import { type Signal, signal } from "@preact/signals";
import { useMemo } from "preact/hooks";

/** @param value in effect; another one takes the place of the text */
export function useTyped(value: string): Signal<string> {
  return useMemo(() => signal(value), [value]);
}
