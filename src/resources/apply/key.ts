// Keys of resources that files describe: kind, name, and the model of a hook.
import type { Resource } from "../../core/apply/resource.ts";
import type { AppliedKey } from "../../store/applied.ts";
import type { Planned } from "./kind.ts";

/** Text of a key, equal for equal keys. */
export function idOf({ kind, model, name }: AppliedKey): string {
  return JSON.stringify([kind, model ?? null, name]);
}

/** Of a scheduled job with `{{model_name}}` before that is replaced. */
export function idOfResource({ kind, name, model, settings }: Resource): string {
  return idOf({ kind, name: String(name ?? settings.name), ...(model !== undefined && { model }) });
}

export function keyOf({ kind, model, name }: Planned): AppliedKey {
  return { kind, name, ...(model !== undefined && { model }) };
}
