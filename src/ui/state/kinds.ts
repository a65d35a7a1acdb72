// Kinds of buckets, hooks and metrics of the server, described in the language of the page.
import type { KindsView } from "../../api/kinds.ts";
import type { Texts } from "../texts/en.ts";
import { texts } from "./preferences.ts";
import { createResource } from "./resource.ts";
import { request } from "./session.ts";

/** Texts of the language in which the kinds are described. */
let described: Texts | undefined;

export const kinds = createResource(async (signal) => {
  const own = texts.peek();
  const view = await own.describeKinds(await request<KindsView>("/kinds", { signal }));
  described = own;
  return view;
});

/** Reads the kinds unless they are known in the language of the page. */
export function needKinds(): void {
  if (described !== texts.peek()) void kinds.refresh();
}

/** The first sentence of a description. */
export function firstSentence(text: string): string {
  return text.split(/\. (?=[A-Z])/, 1)[0]!;
}
