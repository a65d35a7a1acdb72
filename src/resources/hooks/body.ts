// Bodies that write a hook: its name, the selector of a global one, and the settings, which its kind checks.
import { Value } from "@sinclair/typebox/value";
import { HookSelector } from "../../core/anomaly/hook-selector.ts";
import { invalid } from "../../core/errors.ts";
import { isRecord } from "../../core/input/json.ts";
import { Name } from "../../core/input/name.ts";
import { check } from "../../core/input/schema.ts";
import { checkHook } from "../../hooks/index.ts";

type Body = Readonly<Record<string, unknown>>;

const GLOBAL_ONLY = "is for global hooks: POST /hooks, or torus create-hook --global";

interface HookBody {
  readonly name: string;
  /** Of a global hook. */
  readonly selector?: HookSelector;
  /** Not checked, with the name. */
  readonly settings: unknown;
}

/**
 * Reads a hook of a model.
 * @param name from the path; the body may omit it. Absent: the body has it
 * @throws TorusError `invalid`
 */
export function readOwnHook(body: unknown, name?: string): HookBody {
  if (isRecord(body) && body.selector !== undefined) throw invalid("selector", GLOBAL_ONLY);
  if (name === undefined) {
    const named = body as { readonly name?: unknown } | null;
    return { name: isHookName(named?.name) ? named.name : checkHook(body).name, settings: body };
  }
  checkHookName(name);
  if (!isRecord(body)) throw invalid("body", "must be a JSON object with type and config");
  const settings: Body = { name, ...body };
  if (isHookName(settings.name)) assertNameOfPath(settings.name, name);
  return { name, settings };
}

/** Reads a global hook, as `readOwnHook`. */
export function readGlobalHook(body: unknown, name?: string): HookBody {
  const given = checkBody(body);
  if (name !== undefined && given.name !== undefined) assertNameOfPath(given.name, name);
  const named = name === undefined ? given : { ...given, name };
  if (named.name === undefined) throw invalid("name", "is required");
  const { selector, settings } = splitSelector(named);
  return { name: checkHookName(named.name), selector, settings };
}

/** The selector of a global hook, by default one of all models, and the other settings. @throws TorusError `invalid` */
export function splitSelector({ selector = {}, ...settings }: Body) {
  return { selector: check(HookSelector, selector, "selector"), settings };
}

/** @throws TorusError `invalid` where the body is no object */
export function checkBody(body: unknown): Body {
  if (!isRecord(body)) throw invalid("body", "must be a JSON object with type, name and config");
  return body;
}

/** @throws TorusError `invalid` */
export function checkHookName(name: unknown): string {
  return check(Name, name, "name");
}

function assertNameOfPath(given: unknown, name: string): void {
  if (given !== name) throw invalid("name", "must be the name in the path, or left out");
}

function isHookName(name: unknown): name is string {
  return Value.Check(Name, name);
}
