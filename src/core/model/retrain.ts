// Model setting `retrain`: shorthand for a scheduled job, and the plan that keeps both in sync.
import { type Static, Type } from "@sinclair/typebox";
import { invalid } from "../errors.ts";
import { durationSchema } from "../time/duration-schema.ts";
import { checkScheduledJob, JobEvery, MAX_JOB_NAME, type ScheduledJob } from "../time/scheduled-job.ts";
import type { JobPlan, KnownJob } from "../time/scheduled-plan.ts";
import { parseDuration } from "../time/time.ts";

export const Retrain = Type.Object(
  {
    every: JobEvery,
    range: durationSchema({ description: "Length of the training range, up to now", examples: ["30d"] }),
    max_evals: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description: "Hyper-parameter trials; default: those of the model",
        rule: "must be a whole number from 1 to 1000",
      }),
    ),
    continue: Type.Optional(
      Type.Boolean({
        description: "Go on from the current version instead of starting anew",
        default: false,
      }),
    ),
    guard: Type.Optional(
      Type.Boolean({
        description: "Keep the current version where the new one is clearly worse on the last days",
        default: true,
      }),
    ),
  },
  {
    additionalProperties: false,
    description: "Trains the model again and again, as a scheduled job of its own",
    rule: 'must be an object, as in {"every": {"unit": "day", "at": "03:00"}, "range": "30d"}',
  },
);
export type Retrain = Static<typeof Retrain>;

/** Name and setting of a model. */
export interface RetrainedModel {
  readonly name: string;
  readonly retrain?: Retrain | undefined;
}

const PREFIX = "retrain ";
/** Longest name of a model with `retrain`: its job adds a prefix. */
const MAX_MODEL_NAME = MAX_JOB_NAME - PREFIX.length;

/** Longer ranges begin before the earliest date. */
const MAX_RANGE_MS = parseDuration("100y");

/** Name of the scheduled job that belongs to a model. */
export function retrainJobName(model: string): string {
  return `${PREFIX}${model}`;
}

/** The scheduled job of a setting. */
export function retrainJob(model: string, { every, range, guard = true, ...rest }: Retrain): ScheduledJob {
  const isBare = typeof range === "number" || /^[\d.]+$/.test(range);
  return {
    name: retrainJobName(model),
    method: "post",
    relative_url: `/models/${model}/_train`,
    params: { from: `now-${range}${isBare ? "s" : ""}`, ...rest, ...(guard && { guard }) },
    every,
  };
}

/** @throws TorusError `invalid` with a path below `retrain` */
export function checkRetrain(model: string, retrain: Retrain, intervalMs: number): void {
  const rangeMs = parseDuration(retrain.range, "retrain.range");
  if (rangeMs <= intervalMs) throw invalid("retrain.range", "must be longer than bucket_interval");
  if (rangeMs > MAX_RANGE_MS) throw invalid("retrain.range", "must be at most 100 years");
  if (model.length > MAX_MODEL_NAME)
    throw invalid(
      "retrain",
      `needs a model name of at most ${MAX_MODEL_NAME} characters, for its scheduled job`,
    );
  checkScheduledJob(retrainJob(model, retrain), "retrain");
}

/**
 * Plans the changes that give each model the scheduled job of its settings. Jobs of other origins are not touched.
 * @param names models to consider; absent: all, deleted ones too
 */
export function planRetrain(
  models: readonly RetrainedModel[],
  known: readonly KnownJob[],
  names?: readonly string[],
): JobPlan {
  const included = names && new Set(names.map(retrainJobName));
  const wanted = models
    .flatMap(({ name, retrain }) => (retrain ? [retrainJob(name, retrain)] : []))
    .filter(({ name }) => !included || included.has(name));
  const byName = new Map(known.map((job) => [job.name, job]));
  const wantedNames = new Set(wanted.map(({ name }) => name));
  return {
    put: wanted.filter((job) => {
      const old = byName.get(job.name);
      return !old || (old.origin === "model" && !Bun.deepEquals(old.definition, job));
    }),
    remove: known
      .filter(({ name, origin }) => origin === "model" && !wantedNames.has(name))
      .map(({ name }) => name)
      .filter((name) => !included || included.has(name)),
  };
}
