// Scheduled jobs of the configuration: expands per-model definitions and plans the changes of the store.
import { invalid, TorusError } from "../errors.ts";
import { fillTemplate, findParams } from "../input/params.ts";
import { suggestClosest } from "../input/suggest.ts";
import { checkScheduledJob, type ScheduledJob } from "./scheduled-job.ts";

const MODEL = "model_name";
/** Model name for checks of per-model definitions. */
const SAMPLE = "model";

/** Origin of a job: a client, the configuration, or the settings of a model. */
export type JobOrigin = "api" | "config" | "model";

/** A definition of the configuration; with `{{model_name}}` in it, one job per model. */
export type JobDefinition = Readonly<Record<string, unknown>>;

/** A stored job. */
export interface KnownJob {
  readonly name: string;
  readonly origin: JobOrigin;
  readonly definition: ScheduledJob;
}

/** Changes to the stored jobs. */
export interface JobPlan {
  readonly put: readonly ScheduledJob[];
  readonly remove: readonly string[];
}

/**
 * Checks the definitions of a configuration.
 * @throws TorusError `invalid` with the path, for example `scheduled_jobs.0.every.at`
 */
export function checkDefinitions(definitions: readonly JobDefinition[], path: string): void {
  const names = new Set<string>();
  for (const [index, definition] of definitions.entries()) {
    const place = `${path}.${index}`;
    checkDefinition(definition, place);
    const { name } = definition as { name: string };
    if (names.has(name)) throw invalid(`${place}.name`, "must be unique: another definition has this name");
    names.add(name);
  }
}

/** @param place prefix of the reported path. @returns the job of an example model. @throws TorusError `invalid` */
export function checkDefinition(definition: JobDefinition, place = ""): ScheduledJob {
  const stranger = findParams(definition).find((name) => name !== MODEL);
  if (stranger !== undefined) {
    const hint = suggestClosest(stranger, [MODEL])
      ? `did you mean {{${MODEL}}}?`
      : `the only one is {{${MODEL}}}`;
    throw invalid(place, `{{${stranger}}} is no placeholder here; ${hint}`);
  }
  return checkScheduledJob(fillModel(definition, SAMPLE), place);
}

/** Plans the jobs of the configuration at start: they replace stored jobs of the same names. */
export function planStart(
  definitions: readonly JobDefinition[],
  models: readonly string[],
  known: readonly KnownJob[],
): JobPlan {
  const wanted = new Map(expandAll(definitions, models).map((job) => [job.name, job]));
  const kept = new Set(known.filter((job) => isSame(job, wanted.get(job.name))).map(({ name }) => name));
  return {
    put: [...wanted.values()].filter(({ name }) => !kept.has(name)),
    remove: known.filter((job) => job.origin === "config" && !wanted.has(job.name)).map(({ name }) => name),
  };
}

/** Whether a stored job is unchanged, so that the record of its runs stays. */
function isSame({ origin, definition }: KnownJob, wanted: ScheduledJob | undefined): boolean {
  return origin === "config" && wanted !== undefined && JSON.stringify(definition) === JSON.stringify(wanted);
}

/** Names of created and deleted models. */
export interface ModelChange {
  readonly created: readonly string[];
  readonly deleted: readonly string[];
}

/** Plans per-model jobs after models were created or deleted; jobs that clients made or changed stay. */
export function planModels(
  definitions: readonly JobDefinition[],
  { created: came, deleted: gone }: ModelChange,
  known: readonly KnownJob[],
): JobPlan {
  const perModel = definitions.filter(isPerModel);
  const origins = new Map(known.map(({ name, origin }) => [name, origin]));
  const obsolete = expandAll(perModel, gone).map(({ name }) => name);
  return {
    put: expandAll(perModel, came).filter(({ name }) => !origins.has(name)),
    remove: obsolete.filter((name) => origins.get(name) === "config"),
  };
}

/** Names of the configured per-model jobs of these models, each once. */
export function jobNamesOf(definitions: readonly JobDefinition[], models: readonly string[]): string[] {
  return [...new Set(expandAll(definitions.filter(isPerModel), models).map(({ name }) => name))];
}

function isPerModel(definition: JobDefinition): boolean {
  return findParams(definition).includes(MODEL);
}

/** Expands definitions to jobs. A job that is invalid for one model, for example by a name too long, is skipped. */
export function expandAll(definitions: readonly JobDefinition[], models: readonly string[]): ScheduledJob[] {
  return definitions.flatMap((definition) =>
    (isPerModel(definition) ? models : [SAMPLE]).flatMap((model) => {
      try {
        return [checkScheduledJob(fillModel(definition, model))];
      } catch (error) {
        if (error instanceof TorusError) return [];
        throw error;
      }
    }),
  );
}

/** Fills in the model; a name without it gets a suffix, so that names differ. */
function fillModel(definition: JobDefinition, model: string): unknown {
  const filled = fillTemplate(definition, { [MODEL]: model }) as Record<string, unknown>;
  if (!isPerModel(definition) || isPerModel({ name: definition.name })) return filled;
  return { ...filled, ...(typeof filled.name === "string" && { name: `${filled.name}(${model})` }) };
}
