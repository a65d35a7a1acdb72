// Scheduled-job commands: requests that the server sends to itself on a schedule.
import type { ScheduledJobView } from "../../api/scheduled-job.ts";
import { invalid } from "../../core/errors.ts";
import { ApiError, pathOf } from "../client/client.ts";
import { type Context, defineCommand } from "../command/command.ts";
import { forceOption } from "../command/options.ts";
import { readSettingsFile } from "../input/files.ts";
import { answerDone, instantColumn } from "../output/present.ts";
import { namedCommands } from "./named.ts";

const argument = { key: "name", description: "Name of the scheduled job" } as const;

const named = namedCommands<ScheduledJobView>(
  { noun: "scheduled job", group: "jobs", argument },
  {
    list: {
      summary: "List the scheduled jobs with their last and next run",
      effect: "and the result of the last run",
      columns: (context) => [
        { title: "EVERY", value: describeEvery },
        { title: "REQUEST", value: (job) => `${job.method.toUpperCase()} ${job.relative_url}` },
        instantColumn(context, "LAST RUN", { at: (job) => job.last_run_timestamp, isWhole: true }),
        instantColumn(context, "NEXT RUN", { at: (job) => job.next_run_timestamp, isWhole: true }),
        { title: "RESULT", key: "went", value: describeRun },
      ],
      empty: "no scheduled jobs yet: torus create-scheduled-job",
    },
    show: { summary: "Show scheduled jobs", example: ["'retrain nightly'", "as YAML"] },
    delete: {
      summary: "Delete scheduled jobs; missing ones are no error",
      example: ["'retrain nightly'", ""],
    },
  },
);

const createJob = defineCommand({
  name: "create-scheduled-job",
  group: "jobs",
  summary: "Create a scheduled job from a file",
  arguments: { file: { description: "JSON or YAML; - reads standard input" } },
  options: forceOption,
  examples: [["torus create-scheduled-job retrain.yml", "name, method, relative_url, params and every"]],
  async run(context, { arguments: { file }, options: { force } }) {
    const body = await readSettingsFile(file, context.terminal);
    const name = typeof body.name === "string" ? body.name : "";
    if (!force && name && (await exists(context, name)))
      throw invalid(name, "is a scheduled job already: --force replaces it");
    const answer = await context.client.call("POST /scheduled_jobs", { body, status: 201 });
    answerDone(context, answer, `created scheduled job ${name}`);
  },
});

async function exists({ client }: Context, name: string): Promise<boolean> {
  const found = client.find(`GET ${pathOf("scheduled_jobs", [name])}`).catch((error: unknown) => {
    // Invalid names: the server answers the creation with the rule.
    if (error instanceof ApiError && error.status === 400) return undefined;
    throw error;
  });
  return (await found) !== undefined;
}

function describeEvery({ every: { cron, count, unit, at } }: ScheduledJobView): string {
  return cron ?? [count, unit, at && `at ${at}`].filter(Boolean).join(" ");
}

function describeRun({ ok, error, enabled }: ScheduledJobView): string {
  if (enabled === false) return "paused";
  if (ok === undefined) return "-";
  return ok ? "ok" : `failed: ${error ?? "no reason was given"}`;
}

interface ChangeSpec {
  readonly summary: string;
  /** Participle of the note. */
  readonly done: string;
  readonly request: (path: string) => { readonly line: string; readonly body?: object };
}

/** A command that changes scheduled jobs by one request. */
function changeCommand(verb: string, { summary, done, request }: ChangeSpec) {
  return defineCommand({
    ...{ name: `${verb}-scheduled-job`, group: "jobs", summary },
    arguments: { name: { description: argument.description, many: true } },
    examples: [[`torus ${verb}-scheduled-job 'train load'`, ""]],
    async run(context, { arguments: { name } }) {
      const { line, body } = request(pathOf("scheduled_jobs", name));
      const answer = await context.client.call(line, body && { body });
      answerDone(context, answer, `${done} ${name.join(", ")}`);
    },
  });
}

export const scheduledJobCommands = [
  named.list,
  named.show,
  createJob,
  changeCommand("run", {
    summary: "Start runs of scheduled jobs now",
    done: "started",
    request: (path) => ({ line: `POST ${path}/_run` }),
  }),
  changeCommand("pause", {
    summary: "Pause scheduled jobs: their slots are skipped",
    done: "paused",
    request: (path) => ({ line: `PATCH ${path}`, body: { enabled: false } }),
  }),
  changeCommand("resume", {
    summary: "Let paused scheduled jobs run again",
    done: "resumed",
    request: (path) => ({ line: `PATCH ${path}`, body: { enabled: null } }),
  }),
  named.remove,
];
