// Errors of the server, placed at the fields they name.
import type { FieldProblem } from "../../api/client.ts";
import { countEntries, type Draft, entryFields } from "./draft.ts";
import type { Field } from "./fields.ts";

export interface PlacedErrors {
  /** Texts by the path of a field. */
  readonly at: ReadonlyMap<string, string>;
  /** Errors that no field of the form holds. */
  readonly rest: readonly FieldProblem[];
}

/** @returns each error at the innermost field of its path; several at one field are joined */
export function placeErrors(
  fields: readonly Field[],
  draft: Draft,
  errors: readonly FieldProblem[],
): PlacedErrors {
  const paths = pathsOf(fields, draft);
  const at = new Map<string, string>();
  const rest: FieldProblem[] = [];
  for (const error of errors) {
    const place = paths
      .filter((path) => error.path === path || error.path.startsWith(`${path}.`))
      .sort((a, b) => b.length - a.length)[0];
    if (place === undefined) rest.push(error);
    else at.set(place, [at.get(place), error.message].filter(Boolean).join("; "));
  }
  return { at, rest };
}

function pathsOf(fields: readonly Field[], draft: Draft): readonly string[] {
  return fields.flatMap((field) => {
    if (field.kind === "group") return [field.path, ...pathsOf(field.fields, draft)];
    if (field.kind !== "items") return [field.path];
    const entries = Array.from({ length: countEntries(field, draft) }, (_, i) => entryFields(field, i));
    return [field.path, ...entries.flatMap((own) => pathsOf(own, draft))];
  });
}
