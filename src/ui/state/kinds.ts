// Kinds of buckets, hooks and metrics that the server knows; they change with its version alone.
import type { KindsView } from "../../api/kinds.ts";
import { createResource } from "./resource.ts";
import { request } from "./session.ts";

export const kinds = createResource((signal) => request<KindsView>("/kinds", { signal }));

/** Reads the kinds unless they are known. */
export function needKinds(): void {
  if (!kinds.loaded.value.value) void kinds.refresh();
}

/** The first sentence of a description. */
export function firstSentence(text: string): string {
  return text.split(/\. (?=[A-Z])/, 1)[0]!;
}
