// Diff of an apply: `+` created, `~` changed, `-` deleted, `=` unchanged, `!` failed.
import type { FieldChange, ResourceChange } from "../../core/apply/resource.ts";
import { clean } from "../terminal/table.ts";

const signs = { create: "+", change: "~", delete: "-", none: "=" } as const;
const LONGEST_VALUE = 60;

/** @param verbose include unchanged resources */
export function renderChanges(changes: readonly ResourceChange[], verbose: boolean): string[] {
  return changes.flatMap((change) => {
    if (change.action === "none" && !verbose) return [];
    const line = `${change.error === undefined ? "" : "! "}${signs[change.action]} ${describe(change)}`;
    return [clean(change.error === undefined ? line : `${line}: ${change.error}`)];
  });
}

function describe({ kind, model, name, fields = [] }: ResourceChange): string {
  const what = `${kind.replace("_", " ")} ${model === undefined ? "" : `${model}/`}${name}`;
  return fields.length > 0 ? `${what}: ${fields.map(describeField).join(", ")}` : what;
}

function describeField({ path, from, to, secret }: FieldChange): string {
  if (secret) return `${path} (secret)`;
  if (from === undefined) return `+${path} ${describeValue(to)}`;
  return to === undefined ? `-${path}` : `${path} ${describeValue(from)} -> ${describeValue(to)}`;
}

function describeValue(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}...` : text;
}

const words: readonly (readonly [ResourceChange["action"], done: string, due: string])[] = [
  ["create", "created", "to create"],
  ["change", "changed", "to change"],
  ["delete", "deleted", "to delete"],
  ["none", "unchanged", "unchanged"],
];

/** `1 created, 2 changed`, or `1 to create` in a dry run; zero counts are omitted. */
export function summarize(changes: readonly ResourceChange[], dryRun: boolean): string {
  const failed = changes.filter(({ error }) => error !== undefined).length;
  const counts = words.map(([action, done, due]): [number, string] => {
    const of = changes.filter((change) => change.action === action && change.error === undefined);
    return [of.length, dryRun ? due : done];
  });
  const parts: [number, string][] = [...counts, [failed, "failed"]];
  return parts.flatMap(([n, word]) => (n > 0 ? [`${n} ${word}`] : [])).join(", ");
}
