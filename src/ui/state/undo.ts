// What can be undone: the last deletion, or the last stop of a model.
import { signal } from "@preact/signals";
import type { Problem } from "../api/client.ts";

interface Undoable {
  readonly name: string;
  readonly what: "deleted" | "stopped";
  /** @throws Problem */
  readonly undo: () => Promise<unknown>;
  readonly isUndone?: boolean;
  /** Of the last attempt to undo it. */
  readonly problem?: Problem;
}

/** Undefined once its line is closed. */
export const undoable = signal<Undoable | undefined>(undefined);
