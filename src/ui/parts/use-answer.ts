// Answer of one request for a component: read anew when its key changes, aborted when it leaves.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Problem } from "../api/client.ts";

export interface Answer<T> {
  readonly value: T | undefined;
  readonly problem: Problem | undefined;
  readonly isLoading: boolean;
  readonly again: () => void;
}

/** @param key of what is read; undefined: nothing. The value of another key is not shown */
export function useAnswer<T>(key: string | undefined, read: (signal: AbortSignal) => Promise<T>): Answer<T> {
  const state = useSignal<{ key?: string | undefined; value?: T; problem?: Problem }>({});
  const round = useSignal(0);
  useEffect(() => {
    if (key === undefined) return;
    const ending = new AbortController();
    state.value = { key };
    read(ending.signal).then(
      (value) => {
        if (!ending.signal.aborted) state.value = { key, value };
      },
      (error) => {
        if (ending.signal.aborted) return;
        if (!(error instanceof Problem)) throw error;
        state.value = { key, problem: error };
      },
    );
    return () => ending.abort();
  }, [key, round.value]);
  const own = state.value.key === key ? state.value : {};
  return {
    value: own.value,
    problem: own.problem,
    isLoading: key !== undefined && own.value === undefined && own.problem === undefined,
    again: () => void round.value++,
  };
}
