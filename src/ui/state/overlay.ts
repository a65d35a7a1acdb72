// Overlay of the page: the finder or the list of keys.
import { signal } from "@preact/signals";

export const overlay = signal<"finder" | "keys" | undefined>(undefined);
