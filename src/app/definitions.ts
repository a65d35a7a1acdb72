// Resources defined in the settings file: checked without a start, applied at start and at reload.
import { checkBucket, kindOf } from "../buckets/index.ts";
import type { Mistake } from "../core/apply/resource.ts";
import { fieldErrorsOf, placeErrors, TorusError } from "../core/errors.ts";
import { invalidFields } from "../core/input/schema.ts";
import { checkDefinition } from "../core/time/scheduled-plan.ts";
import type { App } from "../http/app.ts";
import type { Apply } from "../resources/apply/index.ts";
import { checkResources } from "../resources/apply/plan.ts";
import { checkCall, checkRoute } from "../resources/scheduled-jobs.ts";
import type { ServerSettings } from "../settings/load.ts";
import type { Log } from "../telemetry/log.ts";
import { checkTokens } from "./security.ts";

/**
 * Checks the defined resources as far as possible without starting.
 * @returns notes for the operator on checks that only a start can do
 * @throws TorusError `invalid` with all `errors`
 */
export function checkDefined(settings: ServerSettings): string[] {
  const { defined, scheduledJobs, hooks: allowed } = settings;
  const mistakes = checkResources(
    defined.map(({ resource }) => resource),
    { buckets: new Map(), allowed },
  );
  if (mistakes.length > 0) throw placeMistakes(mistakes, defined);
  const later = scheduledJobs.length > 0 ? ["the paths of scheduled_jobs are checked by the start"] : [];
  const misspelt = settings.misspelt.map(
    ({ variable, near }) => `${variable} of the environment is no setting; did you mean ${near}?`,
  );
  return [...misspelt, ...checkTokens(settings), ...later, ...listFiles(defined)];
}

/** Notes on buckets that read files, which are looked up where the server runs. */
function listFiles(defined: ServerSettings["defined"]): string[] {
  const readsFile = ({ resource: { kind, settings } }: ServerSettings["defined"][number]) =>
    kind === "bucket" && kindOf(checkBucket(settings)).checkPlace !== undefined;
  return defined.filter(readsFile).map(({ path }) => `the file of ${path} is looked up by the start`);
}

/** @throws TorusError `invalid` with all `errors`: scheduled jobs of the file whose method and path no route has */
export function checkJobRoutes({ scheduledJobs }: ServerSettings, app: Pick<App, "requireRoute">): void {
  const errors = scheduledJobs.flatMap((definition, index) => {
    try {
      checkRoute(checkDefinition(definition), app);
      return [];
    } catch (error) {
      if (!(error instanceof TorusError)) throw error;
      return placeErrors(fieldErrorsOf(error), `scheduled_jobs.${index}`);
    }
  });
  if (errors.length > 0) throw invalidFields(errors);
}

/**
 * Warns of scheduled jobs of the file whose requests lack what their routes require: an older server took them, so
 * that they keep a server neither from its start nor from a reload.
 */
export function warnOfJobCalls(
  { scheduledJobs }: ServerSettings,
  app: Pick<App, "requireCall">,
  log: Pick<Log, "warn">,
): void {
  for (const [index, definition] of scheduledJobs.entries()) {
    try {
      checkCall(checkDefinition(definition), app);
    } catch (error) {
      if (!(error instanceof TorusError)) throw error;
      log.warn("a scheduled job of the settings will fail", { job: `scheduled_jobs.${index}`, error });
    }
  }
}

/**
 * Applies the defined resources; those no longer in the file stay.
 * @throws TorusError `invalid` with the place in the file
 */
export async function defineResources(apply: Apply, { defined }: ServerSettings, log: Log): Promise<void> {
  const { changes, left } = await apply.define(defined.map(({ resource }) => resource)).catch((error) => {
    throw placeRefusal(error, defined);
  });
  for (const { fields: _, ...change } of changes) log.info("defined by the settings", change);
  for (const key of left) log.warn("no longer in the settings: kept until it is deleted", { ...key });
}

/** Maps the mistakes of a rejected apply to places in the settings file. */
function placeRefusal(error: unknown, defined: ServerSettings["defined"]): unknown {
  const mistakes = error instanceof TorusError ? error.details.mistakes : undefined;
  return Array.isArray(mistakes) ? placeMistakes(mistakes as readonly Mistake[], defined) : error;
}

function placeMistakes(mistakes: readonly Mistake[], defined: ServerSettings["defined"]): TorusError {
  return invalidFields(mistakes.flatMap(({ index, ...field }) => placeErrors([field], defined[index]!.path)));
}
