// Text of a number field, applied when the field is left and kept over renders until then.
import { type Signal, signal } from "@preact/signals";
import { useMemo } from "preact/hooks";

/** @param value in effect; another one takes the place of the text */
export function useTyped(value: string): Signal<string> {
  return useMemo(() => signal(value), [value]);
}
