// Commands of jobs: list, look up, wait, cancel.
import { isFinal } from "../../core/job.ts";
import type { Job } from "../client.ts";
import { shareOf } from "../client.ts";
import { defineCommand } from "../command.ts";
import { type Context, sleep } from "../context.ts";
import { followJob } from "../follow.ts";
import { formatInstant } from "../format.ts";
import { answerDone, answerObjects, answerTable, pathOf } from "../present.ts";
import { formatSpan } from "../progress.ts";

const WATCH_MS = 1000;

type ListedJob = Omit<Job, "result"> & { readonly model?: string; readonly start_timestamp: number };

const listJobs = defineCommand({
  name: "list-jobs",
  group: "jobs",
  summary: "List the jobs, newest first",
  options: {
    interactive: { short: "i", description: "Again every second, until no job is active" },
    active: { description: "Only those that wait or run" },
  },
  examples: [
    ["torus list-jobs --active", "what the server is doing now"],
    ["torus list-jobs -i", "until all is done"],
  ],
  async run(context, { options: { interactive, active } }) {
    for (;;) {
      const jobs = await fetchJobs(context);
      const shown = active ? jobs.filter(({ state }) => !isFinal(state)) : jobs;
      const again = interactive && jobs.some(({ state }) => !isFinal(state));
      // A program gets one document: that of the end.
      const { json } = context.globals;
      if (interactive && !json && context.terminal.isTty.output) context.terminal.write("\x1b[2J\x1b[H");
      if (!json || !again) showJobs(context, shown);
      if (!again) return;
      await sleep(WATCH_MS, context.signal);
    }
  },
});

async function fetchJobs({ client }: Context): Promise<ListedJob[]> {
  const jobs = await client.call<ListedJob[]>("GET /jobs", { query: { fields: "result" } });
  return jobs.toSorted((a, b) => b.start_timestamp - a.start_timestamp);
}

function showJobs(context: Context, jobs: readonly ListedJob[]): void {
  answerTable(context, jobs, {
    columns: [
      { title: "ID", value: ({ id }) => id },
      { title: "TYPE", value: ({ type }) => type },
      { title: "MODEL", value: ({ model }) => model ?? "-" },
      { title: "STATE", value: describeState },
      { title: "START (UTC)", value: (job) => formatInstant(job.start_timestamp).slice(0, 19) },
      { title: "TOOK", align: "right", value: ({ duration }) => formatSpan(duration * 1000) },
      { title: "ERROR", value: ({ error }) => error ?? "" },
    ],
    name: ({ id }) => id,
    empty: "no jobs",
  });
}

function describeState(job: ListedJob): string {
  const share = job.state === "running" ? shareOf({ ...job, result: null }) : undefined;
  return share === undefined ? job.state : `${job.state} ${Math.floor(share * 100)} %`;
}

const showJob = defineCommand({
  name: "show-job",
  group: "jobs",
  summary: "Show jobs with their results, or wait for one",
  arguments: { job: { description: "Job id", many: true } },
  options: { wait: { short: "w", description: "Wait for their end; exit code 1 where one failed" } },
  examples: [["torus show-job --wait 3f1d6a52-0c3e-4a39-9d1d-2f6a4c1e7b10", "Ctrl-C cancels the job"]],
  async run(context, { arguments: { job: ids }, options: { wait } }) {
    if (wait) for (const id of ids) await followJob(context, id, "wait");
    await answerObjects(context, await context.client.call<Job[]>(`GET ${pathOf("jobs", ids)}`));
  },
});

const cancelJob = defineCommand({
  name: "cancel-job",
  group: "jobs",
  summary: "Cancel jobs",
  arguments: { job: { description: "Job id", many: true } },
  examples: [["torus cancel-job 3f1d6a52-0c3e-4a39-9d1d-2f6a4c1e7b10", "canceled is final at once"]],
  async run(context, { arguments: { job: ids } }) {
    const answer = await context.client.call(`POST ${pathOf("jobs", ids)}/_cancel`);
    answerDone(context, answer, `canceled ${ids.join(", ")}`);
  },
});

export const jobCommands = [listJobs, showJob, cancelJob];
