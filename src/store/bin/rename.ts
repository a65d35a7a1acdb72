// Rows of a resource that is restored under another name; sealed secrets are bound to their row, and sealed anew.
import { isRecord } from "../../core/input/json.ts";
import type { Store } from "../db/open.ts";
import { placeOfHook } from "../hooks.ts";
import type { Place } from "../secrets/seal.ts";
import type { BinEntry } from "./entries.ts";
import { type Row, type SourceName, sourceOf } from "./sources.ts";

interface Renaming {
  readonly entry: Pick<BinEntry, "kind" | "name">;
  /** The new name. */
  readonly name: string;
}

/** @returns the row as the renamed resource has it */
export function renameRow(
  { vault }: Pick<Store, "vault">,
  { name: source, row }: { readonly name: SourceName; readonly row: Row },
  { entry, name }: Renaming,
): Row {
  const renamed: Record<string, unknown> = { ...row };
  const belongsToModel = entry.kind === "model" && source !== "models";
  renamed[belongsToModel ? "model" : "name"] = name;
  const { sealed } = sourceOf(source);
  if (sealed !== undefined) {
    const fields = vault.open(placeOf(source, row), row[sealed] as Row);
    renamed[sealed] = vault.seal(placeOf(source, renamed), withName(fields, entry.name, name), kindOf(row));
  }
  if (isRecord(row.settings) && sealed !== "settings")
    renamed.settings = withName(row.settings, entry.name, name);
  return renamed;
}

function withName(fields: Row, from: string, to: string): Row {
  return fields.name === from ? { ...fields, name: to } : fields;
}

function kindOf({ kind }: Row): string | undefined {
  return typeof kind === "string" ? kind : undefined;
}

function placeOf(source: SourceName, { model, name }: Row): Place {
  if (source === "hooks" || source === "globalHooks")
    return placeOfHook({ model: (model as string | undefined) ?? null, name: name as string });
  const tables = { buckets: "buckets", calendars: "calendars", scheduledJobs: "scheduled_jobs" } as const;
  return { table: tables[source as keyof typeof tables], row: [name as string] };
}
