// Overlay of the page: the finder, the list of keys, or the pages on phones.
import { signal } from "@preact/signals";

export const overlay = signal<"finder" | "keys" | "pages" | undefined>(undefined);
