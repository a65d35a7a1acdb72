// Descriptions of kinds and their settings in German, loaded with the first form.
import type { KindsView } from "../../api/kinds.ts";
import { buckets } from "./de-fields/buckets.ts";
import { hooks } from "./de-fields/hooks.ts";
import { models } from "./de-fields/models.ts";

/** By the English text; of a kind, whose first sentence is shown, by that. */
export const descriptions: Readonly<Record<string, string>> = { ...models, ...buckets, ...hooks };

function describe(text: string): string {
  const [first = text] = text.split(". ", 1);
  return descriptions[text] ?? descriptions[first] ?? text;
}

/** What has no German text stays as it is. */
export function describeKinds(kinds: KindsView): KindsView {
  return JSON.parse(JSON.stringify(kinds), (key, value) =>
    key === "description" && typeof value === "string" ? describe(value) : value,
  );
}
