// Overlay of the page: the finder, the list of keys, or the pages on phones.
import { signal } from "@preact/signals";

export const overlay = signal<"finder" | "keys" | "pages" | undefined>(undefined);

/** Whether this page has deleted something: the line of its undo is loaded with the first deletion. */
export const hasDeleted = signal(false);
