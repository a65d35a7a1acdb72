// Deletion by a command: asks on a terminal, deletes, and says how to undo it.
import type { Query } from "../client/client.ts";
import type { Context } from "../command/command.ts";
import { EXIT_FAILED } from "../command/exit-codes.ts";
import { answerDone } from "../output/present.ts";

export const yesOption = { yes: { short: "y", description: "Delete without a question" } } as const;

interface DeletionRequest {
  /** Singular, as in `model`. */
  readonly noun: string;
  readonly names: readonly string[];
  readonly path: string;
  readonly query?: Query;
  readonly yes: boolean | undefined;
}

/** Names in a question. */
const MAX_NAMED = 5;

/** @returns the exit code */
export async function deleteResources(
  context: Context,
  request: DeletionRequest,
): Promise<number | undefined> {
  const { noun, names, path, query, yes } = request;
  if (!yes && !(await confirm(context, `Delete ${describeNames(noun, names)}?`))) {
    context.note("nothing was deleted");
    return EXIT_FAILED;
  }
  const response = await context.client.open(`DELETE ${path}`, query && { query });
  const text = await response.text();
  answerDone(context, text === "" ? undefined : JSON.parse(text), `deleted ${names.join(", ")}`);
  if (context.terminal.isTty.errors && response.headers.has("torus-bin-id"))
    context.note("torus undo restores it");
  return undefined;
}

function describeNames(noun: string, names: readonly string[]): string {
  if (names.length === 1) return `${noun} ${names[0]}`;
  const more = names.length > MAX_NAMED ? `, ... (${names.length})` : "";
  return `${noun}s ${names.slice(0, MAX_NAMED).join(", ")}${more}`;
}

/**
 * Asks a question that one key answers; without a terminal nobody is asked.
 * @returns whether the answer is yes
 */
export async function confirm({ terminal }: Context, question: string): Promise<boolean> {
  const { onKey, isTty } = terminal;
  if (!onKey || !isTty.errors) return true;
  terminal.writeError(`${question} [y/N] `);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const release = onKey.call(terminal, (key) => resolve(key === "y" || key === "Y"));
  const isYes = await promise;
  release();
  terminal.writeError(isYes ? "yes\n" : "no\n");
  return isYes;
}
