// Scheduled-job commands: requests that the server sends to itself on a schedule.
import type { ScheduledJobView } from "../../api/scheduled-job.ts";
import { invalid } from "../../core/errors.ts";
import { ApiError, pathOf } from "../client/client.ts";
import { type Context, defineCommand } from "../command/command.ts";
import { allOption, forceOption } from "../command/options.ts";
import { readSettingsFile } from "../input/files.ts";
import { answerDone, answerObjects, answerTable, instantColumn } from "../output/present.ts";
import { deleteResources, yesOption } from "../work/deletion.ts";
import { showResources } from "../work/show.ts";

const names = { name: { description: "Name of the scheduled job", many: true } } as const;

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

const listScheduledJobs = defineCommand({
  name: "list-scheduled-jobs",
  group: "jobs",
  summary: "List the scheduled jobs with their last and next run",
  options: allOption,
  examples: [["torus list-scheduled-jobs", "and the result of the last run"]],
  async run(context, { options: { all } }) {
    const jobs = await context.client.call<ScheduledJobView[]>("GET /scheduled_jobs");
    if (all) return answerObjects(context, jobs);
    answerTable(context, jobs, {
      columns: [
        { title: "NAME", value: ({ name }) => name },
        { title: "EVERY", value: describeEvery },
        { title: "REQUEST", value: (job) => `${job.method.toUpperCase()} ${job.relative_url}` },
        instantColumn(context, "LAST RUN", { at: (job) => job.last_run_timestamp, isWhole: true }),
        instantColumn(context, "NEXT RUN", { at: (job) => job.next_run_timestamp, isWhole: true }),
        { title: "RESULT", key: "went", value: describeRun },
      ],
      name: ({ name }) => name,
      empty: "no scheduled jobs yet: torus create-scheduled-job",
    });
  },
});

function describeEvery({ every: { cron, count, unit, at } }: ScheduledJobView): string {
  return cron ?? [count, unit, at && `at ${at}`].filter(Boolean).join(" ");
}

function describeRun({ ok, error, enabled }: ScheduledJobView): string {
  if (enabled === false) return "paused";
  if (ok === undefined) return "-";
  return ok ? "ok" : `failed: ${error ?? "no reason was given"}`;
}

const showScheduledJob = defineCommand({
  name: "show-scheduled-job",
  group: "jobs",
  summary: "Show scheduled jobs",
  arguments: names,
  examples: [["torus show-scheduled-job 'retrain nightly'", "as YAML"]],
  run: (context, { arguments: { name } }) => showResources(context, "scheduled_jobs", name),
});

const runScheduledJob = defineCommand({
  name: "run-scheduled-job",
  group: "jobs",
  summary: "Start runs of scheduled jobs now",
  arguments: names,
  examples: [["torus run-scheduled-job 'train load'", ""]],
  async run(context, { arguments: { name } }) {
    const answer = await context.client.call(`POST ${pathOf("scheduled_jobs", name)}/_run`);
    answerDone(context, answer, `started ${name.join(", ")}`);
  },
});

const pauseScheduledJob = defineCommand({
  name: "pause-scheduled-job",
  group: "jobs",
  summary: "Pause scheduled jobs: their slots are skipped",
  arguments: names,
  examples: [["torus pause-scheduled-job 'train load'", ""]],
  async run(context, { arguments: { name } }) {
    const path = pathOf("scheduled_jobs", name);
    const answer = await context.client.call(`PATCH ${path}`, { body: { enabled: false } });
    answerDone(context, answer, `paused ${name.join(", ")}`);
  },
});

const resumeScheduledJob = defineCommand({
  name: "resume-scheduled-job",
  group: "jobs",
  summary: "Let paused scheduled jobs run again",
  arguments: names,
  examples: [["torus resume-scheduled-job 'train load'", ""]],
  async run(context, { arguments: { name } }) {
    const path = pathOf("scheduled_jobs", name);
    const answer = await context.client.call(`PATCH ${path}`, { body: { enabled: null } });
    answerDone(context, answer, `resumed ${name.join(", ")}`);
  },
});

const deleteScheduledJob = defineCommand({
  name: "delete-scheduled-job",
  group: "jobs",
  summary: "Delete scheduled jobs; missing ones are no error",
  arguments: names,
  examples: [["torus delete-scheduled-job 'retrain nightly'", ""]],
  options: yesOption,
  run(context, { arguments: { name: names }, options: { yes } }) {
    return deleteResources(context, {
      noun: "scheduled job",
      names,
      path: pathOf("scheduled_jobs", names),
      yes,
    });
  },
});

export const scheduledJobCommands = [
  listScheduledJobs,
  showScheduledJob,
  createJob,
  runScheduledJob,
  pauseScheduledJob,
  resumeScheduledJob,
  deleteScheduledJob,
];
