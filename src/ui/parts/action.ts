// Actions of a screen, one at a time; a refusal of the server stays beside the form.
import { type ReadonlySignal, useSignal } from "@preact/signals";
import { Problem } from "../api/client.ts";

export interface Action {
  readonly isBusy: ReadonlySignal<boolean>;
  /** Of the last attempt; stays until the next one has an outcome. */
  readonly problem: ReadonlySignal<Problem | undefined>;
  /** Does the work unless another is under way. @returns whether it was done */
  readonly run: (work: () => Promise<unknown>) => Promise<boolean>;
}

export function useAction(): Action {
  const isBusy = useSignal(false);
  const problem = useSignal<Problem | undefined>(undefined);
  const run = async (work: () => Promise<unknown>) => {
    if (isBusy.peek()) return false;
    isBusy.value = true;
    try {
      await work();
      problem.value = undefined;
      return true;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      problem.value = error;
      return false;
    } finally {
      isBusy.value = false;
    }
  };
  return { isBusy, problem, run };
}
