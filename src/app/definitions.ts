// Resources of the settings file: checked without a start, defined at the start and at every reload.
import type { Mistake } from "../core/apply/resource.ts";
import { fieldErrorsOf, placeErrors, TorusError } from "../core/errors.ts";
import { invalidFields } from "../core/input/schema.ts";
import { checkResource } from "../resources/apply/plan.ts";
import type { Apply } from "../resources/apply.ts";
import type { ServerSettings } from "../settings/load.ts";
import type { Log } from "../telemetry/log.ts";
import { checkTokens } from "./security.ts";

/**
 * Checks what the settings define as far as possible without starting.
 * @returns what only the start will know, for people
 * @throws TorusError `invalid` with all `errors`
 */
export function checkDefined(settings: ServerSettings): string[] {
  const buckets = new Map();
  const errors = settings.defined.flatMap(({ resource, path }) => {
    try {
      checkResource(resource, { buckets, allowed: settings.hooks });
      return [];
    } catch (error) {
      if (!(error instanceof TorusError)) throw error;
      return placeErrors(fieldErrorsOf(error), path);
    }
  });
  if (errors.length > 0) throw invalidFields(errors);
  return checkTokens(settings);
}

/** Defines what the settings file holds: what is as it says is left alone, what it no longer holds stays. @throws TorusError `invalid` with the place in the file */
export async function defineResources(apply: Apply, { defined }: ServerSettings, log: Log): Promise<void> {
  const { changes, left } = await apply.define(defined.map(({ resource }) => resource)).catch((error) => {
    throw placeMistakes(error, defined);
  });
  for (const { fields: _, ...change } of changes) log.info("defined by the settings", change);
  for (const key of left) log.warn("no longer in the settings: it stays until it is deleted", { ...key });
}

/** The mistakes, with their places in the settings file. */
function placeMistakes(error: unknown, defined: ServerSettings["defined"]): unknown {
  const mistakes = error instanceof TorusError ? error.details.mistakes : undefined;
  if (!Array.isArray(mistakes)) return error;
  const list = mistakes as readonly Mistake[];
  return invalidFields(list.flatMap(({ index, ...field }) => placeErrors([field], defined[index]!.path)));
}
