// One piece of work for each of several models: `*` and `a;b` are lists; a failure does not keep the rest from its turn.
import { invalid } from "../../core/errors.ts";
import { ApiError, JobError, pathOf } from "../client/client.ts";
import type { Context } from "../command/command.ts";
import { clean } from "../terminal/table.ts";

/** The word that stands for every model. */
export const EVERY = "*";
const FAILED = 1;
/** Refusals that every further request would meet too. */
const NOT_ALLOWED: readonly number[] = [401, 403];

interface Named {
  readonly settings: { readonly name: string };
}

/** Names of a command line: `a;b` is two of them, as in a path of the API. */
export function splitNames(words: readonly string[]): string[] {
  return words.flatMap((word) => word.split(";")).filter((name) => name !== "");
}

/**
 * The models that words of a command line name.
 * @throws TorusError `invalid` where `*` finds none; ApiError `not_found` for a list with an unknown name
 */
export async function resolveModels({ client }: Context, words: readonly string[]): Promise<string[]> {
  const names = splitNames(words);
  if (!names.includes(EVERY)) {
    // Looked up first: where one is unknown, no work starts on the others.
    if (names.length > 1) await client.call(`GET ${pathOf("models", names)}`);
    return [...new Set(names)];
  }
  const models = await client.call<Named[]>("GET /models");
  if (models.length === 0) throw invalid(EVERY, "there are no models yet: torus create-model");
  return models.map(({ settings }) => settings.name);
}

export interface Each<T> {
  /** What was done, for the summary: `trained`. */
  readonly done: string;
  readonly work: (name: string) => Promise<T>;
}

export interface Outcomes<T> {
  /** In the order of the names; undefined where it failed. */
  readonly results: readonly (T | undefined)[];
  /** 1 where one failed. */
  readonly exitCode: number;
}

/**
 * Works through models one after the other; each failure is reported on standard error, the last line counts them.
 * @throws what no other model would escape: an interrupt, a lost connection, a login that is refused
 */
export async function workThrough<T>(
  context: Context,
  names: readonly string[],
  { done, work }: Each<T>,
): Promise<Outcomes<T>> {
  const { terminal, signal } = context;
  const results: (T | undefined)[] = [];
  const failed: string[] = [];
  for (const name of names) {
    try {
      results.push(await work(name));
    } catch (error) {
      const reason = signal.aborted ? undefined : reasonOf(error);
      if (reason === undefined) throw error;
      results.push(undefined);
      failed.push(name);
      terminal.writeError(`torus: ${clean(`${name}: ${reason}`)}\n`);
    }
  }
  if (failed.length === 0) return { results, exitCode: 0 };
  const summary = `${done} ${names.length - failed.length} of ${names.length} models; failed: ${failed.join(", ")}`;
  terminal.writeError(`torus: ${clean(summary)}\n`);
  return { results, exitCode: FAILED };
}

/** Why one model failed; undefined where all would. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof JobError) return error.message;
  return error instanceof ApiError && !NOT_ALLOWED.includes(error.status) ? error.reason : undefined;
}
