// Resources of the settings file: checked without a start, defined at the start and at every reload.
import type { Mistake } from "./core/apply/resource.ts";
import { invalid, TorusError } from "./core/errors.ts";
import type { Log } from "./log.ts";
import type { Apply } from "./resources/apply.ts";
import { checkResource } from "./resources/apply-plan.ts";
import { checkTokens } from "./security.ts";
import type { ServerSettings } from "./settings.ts";

/**
 * Checks what the settings define as far as possible without starting.
 * @returns what only the start will know, for people
 * @throws TorusError `invalid`
 */
export function checkDefined(settings: ServerSettings): string[] {
  const buckets = new Map();
  for (const { resource, path } of settings.defined) {
    try {
      checkResource(resource, { buckets, allowed: settings.hooks });
    } catch (error) {
      throw inFile(error, path);
    }
  }
  return checkTokens(settings);
}

/** Defines what the settings file holds: what is as it says is left alone, what it no longer holds stays. @throws TorusError `invalid` with the place in the file */
export async function defineResources(apply: Apply, { defined }: ServerSettings, log: Log): Promise<void> {
  const { changes, left } = await apply.define(defined.map(({ resource }) => resource)).catch((error) => {
    throw placeMistake(error, defined);
  });
  for (const { fields: _, ...change } of changes) log.info("defined by the settings", change);
  for (const key of left) log.warn("no longer in the settings: it stays until it is deleted", { ...key });
}

/** The first mistake, with its place in the settings file. */
function placeMistake(error: unknown, defined: ServerSettings["defined"]): unknown {
  const mistakes = error instanceof TorusError ? error.details.mistakes : undefined;
  if (!Array.isArray(mistakes)) return error;
  const [{ index, error: message }] = mistakes as readonly Mistake[] as [Mistake];
  return invalid(defined[index]!.path, message);
}

/** The same mistake, with its place in the settings file. */
function inFile(error: unknown, place: string): unknown {
  const isMistake = error instanceof TorusError && error.code === "invalid";
  return isMistake ? invalid(place, error.message) : error;
}
