// Hook of a command line: that of a model, or with --global one of many models.
import { invalid } from "../../../core/errors.ts";
import { pathOf } from "../../client/client.ts";

export const globalOption = {
  global: {
    short: "g",
    description: "Global hook, for all models that its selector matches; without MODEL",
  },
} as const;
export const model = { description: "Model name; absent with --global", optional: true } as const;
export const hook = { description: "Hook name", optional: true } as const;

/** Where hooks are kept: those of a model, or the global ones. */
export interface HookSet {
  readonly path: string;
  /** For people. */
  readonly owner: string;
}

export function setOf(name: string | undefined): HookSet {
  if (name === undefined) return { path: "/hooks", owner: "every selected model" };
  return { path: `${pathOf("models", [name])}/hooks`, owner: name };
}

/** `MODEL X`, or with `--global` X alone. @throws TorusError `invalid` where a word is missing or one too many */
export function readTarget(
  words: readonly (string | undefined)[],
  { global, last }: { readonly global: boolean; readonly last: string },
): HookSet & { readonly last: string } {
  const given = words.filter((word) => word !== undefined);
  if (given.length > (global ? 1 : 2))
    throw invalid(given[0]!, "is not allowed with --global: global hooks have no model");
  const word = given.at(-1);
  if (word === undefined || (!global && given.length < 2))
    throw invalid(word === undefined && !global ? "MODEL" : last, "is missing");
  return { ...setOf(global ? undefined : given[0]), last: word };
}

export function readHook(
  { model: name, hook: last }: { readonly model?: string | undefined; readonly hook?: string | undefined },
  { global }: { readonly global: boolean },
): { readonly path: string; readonly name: string } {
  const target = readTarget([name, last], { global, last: "HOOK" });
  return { path: `${target.path}/${encodeURIComponent(target.last)}`, name: target.last };
}
