// Runs an action for several models (`*`, `a;b`); a failure does not stop the rest.
import { invalid } from "../../core/errors.ts";
import { ApiError, JobError, pathOf } from "../client/client.ts";
import type { Context } from "../command/command.ts";
import { EXIT_FAILED } from "../command/exit-codes.ts";
import { clean } from "../terminal/table.ts";

/** Wildcard for all models. */
export const ALL_MODELS = "*";
/** Statuses that would recur for every further model. */
const AUTH_STATUSES: readonly number[] = [401, 403];

interface Named {
  readonly settings: { readonly name: string };
}

/** Splits names: `a;b` is two of them, as in a path of the API. */
export function splitNames(words: readonly string[]): string[] {
  return words.flatMap((word) => word.split(";")).filter((name) => name !== "");
}

/**
 * Resolves words of a command line to model names.
 * @throws TorusError `invalid` if `*` matches none; ApiError `not_found` for a list with an unknown name
 */
export async function resolveModels({ client }: Context, words: readonly string[]): Promise<string[]> {
  const names = splitNames(words);
  if (!names.includes(ALL_MODELS)) {
    // Checked first: an unknown name must not leave the work half done.
    if (names.length > 1) await client.call(`GET ${pathOf("models", names)}`);
    return [...new Set(names)];
  }
  const models = await client.call<Named[]>("GET /models");
  if (models.length === 0) throw invalid(ALL_MODELS, "there are no models yet: torus create-model");
  return models.map(({ settings }) => settings.name);
}

interface ModelAction<T> {
  /** Participle for the summary: `trained`. */
  readonly done: string;
  readonly work: (name: string) => Promise<T>;
}

interface ActionResults<T> {
  /** In the order of the names; undefined after a failure. */
  readonly results: readonly (T | undefined)[];
  /** 1 after any failure. */
  readonly exitCode: number;
}

/**
 * Runs an action for one model after the other; reports each failure and their count on standard error.
 * @throws errors that would affect every model: an interrupt, a lost connection, refused credentials
 */
export async function runForEach<T>(
  context: Context,
  names: readonly string[],
  { done, work }: ModelAction<T>,
): Promise<ActionResults<T>> {
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
  return { results, exitCode: EXIT_FAILED };
}

/** Why one model failed; undefined for errors that would affect all. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof JobError) return error.message;
  return error instanceof ApiError && !AUTH_STATUSES.includes(error.status) ? error.reason : undefined;
}
