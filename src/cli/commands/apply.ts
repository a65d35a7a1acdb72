// Command apply: changes the server to match files, and prints the difference.
import { sectionOf } from "../../core/apply/kinds.ts";
import type { ApplyResult, Mistake } from "../../core/apply/resource.ts";
import { type Description, readDescription } from "../apply/files.ts";
import { renderChanges, summarize } from "../apply/render.ts";
import { planWork, runStep, type Step } from "../apply/work.ts";
import { ApiError } from "../client/client.ts";
import { type Context, defineCommand } from "../command/command.ts";
import { EXIT_FAILED } from "../command/exit-codes.ts";
import { definedOnly } from "../command/options.ts";
import { countOf } from "../terminal/format.ts";
import { clean } from "../terminal/table.ts";

/** Exit code for invalid files, and for changes with `--exit-code`. */
const INVALID_FILES = 2;

export const apply = defineCommand({
  name: "apply",
  group: "administration",
  summary: "Apply files that describe buckets, calendars, templates, models, hooks and scheduled jobs",
  details: [
    `Files hold the sections of a settings file (${Object.values(sectionOf).join(", ")}), or one`,
    "resource per document with its kind. References to environment variables are substituted. Files are validated before anything changes.",
    "+ created  ~ changed  - deleted  = unchanged  > action on a model  ! failed",
    "Exit codes: 0 success, 1 some changes failed, 2 invalid files.",
  ],
  options: {
    file: {
      short: "f",
      value: "PATH",
      many: true,
      required: true,
      description:
        "File, directory (every *.yml, *.yaml and *.json in it), or - for standard input; may be repeated",
    },
    "dry-run": { description: "Show the changes without making them" },
    "exit-code": { description: "Exit with code 2 if there are changes" },
    prune: {
      description:
        "Delete resources that an earlier apply of this set created and the files no longer contain; only of kinds in the files",
    },
    set: {
      value: "NAME",
      description: "Name of the set of created resources, for --prune; default: default",
    },
    verbose: { short: "v", description: "Also show unchanged resources" },
  },
  examples: [
    ["torus apply -f monitoring/ --dry-run", "the changes, without making them"],
    ["torus apply -f monitoring/ --prune", "also deletes resources that were removed from the files"],
  ],
  async run(context, { options }) {
    const description = await readDescription(options.file, context.terminal);
    const query = { ...definedOnly<string | boolean>({ prune: options.prune, set: options.set }) };
    const send = (dryRun: boolean) => sendResources(context, description, { ...query, dry_run: dryRun });
    const isEmpty = description.kinds.size === 0;
    if (isEmpty && description.mistakes.length === 0)
      description.mistakes.push(`${options.file.join(", ")}: holds no resources`);
    if (description.mistakes.length > 0)
      return explainMistakes(context, isEmpty ? [] : await findMistakes(send), description);

    const sent = await send(options["dry-run"]);
    if ("mistakes" in sent) return explainMistakes(context, sent.mistakes, description);
    const lines = renderChanges(sent.changes, options.verbose);
    if (!context.globals.json && lines.length > 0) context.print(lines.join("\n"));
    const steps = await planWork(context, description.works);
    const failures = await runSteps(context, steps, options["dry-run"]);
    if (context.globals.json)
      context.answer({ ...sent, work: steps.map(({ model, action }) => ({ model, action })) });

    const changed = sent.changes.filter(({ action }) => action !== "none").length + steps.length;
    context.note(summarizeApply(sent, changed, steps));
    if (failures > 0 || sent.changes.some(({ error }) => error !== undefined)) return EXIT_FAILED;
    return options["exit-code"] && changed > 0 ? INVALID_FILES : 0;
  },
});

type Sent = ApplyResult | { readonly mistakes: readonly Mistake[] };

/** @throws ApiError for errors other than mistakes in the files */
async function sendResources(
  { client }: Context,
  { resources, kinds }: Description,
  query: Readonly<Record<string, string | boolean>>,
): Promise<Sent> {
  try {
    return await client.call<ApplyResult>("POST /_apply", {
      query,
      body: { resources, kinds: [...kinds] },
      status: 200,
    });
  } catch (error) {
    const mistakes = error instanceof ApiError ? error.problem.mistakes : undefined;
    if (Array.isArray(mistakes)) return { mistakes };
    throw error;
  }
}

/** Further mistakes, found by the server; none if it cannot be reached. */
async function findMistakes(send: (dryRun: boolean) => Promise<Sent>): Promise<readonly Mistake[]> {
  const sent = await send(true).catch(() => undefined);
  return sent && "mistakes" in sent ? sent.mistakes : [];
}

function explainMistakes(
  { terminal }: Context,
  found: readonly Mistake[],
  { mistakes, places }: Description,
): number {
  const lines = found.map(({ index, path, message }) => {
    const place = places[index]!;
    const where = [place.path, path].filter(Boolean).join(".");
    return [place.file, where, message].filter(Boolean).join(": ");
  });
  for (const line of [...mistakes, ...lines]) terminal.writeError(`torus: ${clean(line)}\n`);
  terminal.writeError("torus: nothing was changed\n");
  return INVALID_FILES;
}

/** @returns the number of failures */
async function runSteps(context: Context, steps: readonly Step[], dryRun: boolean): Promise<number> {
  let failures = 0;
  for (const step of steps) {
    const error = dryRun ? undefined : await runStep(step);
    if (error !== undefined) failures++;
    const line = `> model ${step.model}: ${step.action}`;
    if (!context.globals.json) context.print(clean(error === undefined ? line : `! ${line}: ${error}`));
  }
  return failures;
}

function summarizeApply({ changes, dry_run }: ApplyResult, changed: number, steps: readonly Step[]): string {
  if (changed === 0) return `nothing to change: ${changes.length} up to date`;
  const work = steps.length > 0 ? countOf(steps.length, "action") : "";
  const summary = [summarize(changes, dry_run), work].filter(Boolean).join(", ");
  return dry_run ? `dry run, nothing was changed: ${summary}` : summary;
}
