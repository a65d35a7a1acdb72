// Commands of jobs: list, look up, wait, cancel, retry.
import { invalid } from "../../core/errors.ts";
import { isFinal } from "../../core/job.ts";
import { sleep } from "../../runtime/deadline.ts";
import { type Job, pathOf, type Query, shareOf } from "../client/client.ts";
import { type Context, defineCommand } from "../command/command.ts";
import { definedOnly } from "../command/options.ts";
import { answerDone, answerObjects, answerTable, instantColumn } from "../output/present.ts";
import { formatSpan } from "../terminal/progress.ts";
import { followJob } from "../work/follow-job.ts";

const REFRESH_MS = 1000;
/** Jobs that a terminal shows without `--limit`. */
const MAX_TERMINAL_JOBS = 50;
/** The longest page of the server. */
const PAGE_SIZE = 100;

type ListedJob = Omit<Job, "result"> & { readonly model?: string; readonly start_timestamp: number };

const listJobs = defineCommand({
  name: "list-jobs",
  group: "jobs",
  summary: "List the jobs, newest first",
  options: {
    interactive: { short: "i", description: "Refresh every second until no job is active" },
    active: { description: "Only waiting and running jobs: --state 'waiting;running'" },
    state: {
      value: "STATE",
      description: "waiting, running, done, failed or canceled; several separated by ;",
    },
    type: {
      value: "TYPE",
      description: "training, forecast, prediction, read, write or backtest; several separated by ;",
    },
    model: { short: "m", value: "MODEL", description: "Only jobs of this model; several separated by ;" },
    since: { value: "DATE", description: "Only jobs started since, as in now-1d" },
    limit: {
      value: "N",
      type: "integer",
      fallback: `${MAX_TERMINAL_JOBS} on a terminal, else all`,
      description: "Maximum number of jobs",
    },
  },
  examples: [
    ["torus list-jobs --active", "what the server is doing now"],
    ["torus list-jobs --state failed --since now-1d", "failures since yesterday"],
    ["torus list-jobs -i", "until all have ended"],
  ],
  async run(context, { options: { interactive, active, limit, state, ...filter } }) {
    if (active && state !== undefined) throw invalid("--active", "cannot be combined with --state");
    if (limit !== undefined && limit < 1) throw invalid("--limit", "must be at least 1");
    const states = active ? "waiting;running" : state;
    const query = definedOnly<string>({ ...filter, state: states });
    const isShort = context.terminal.isTty.output && !context.globals.json;
    const most = limit ?? (isShort ? MAX_TERMINAL_JOBS : undefined);
    for (;;) {
      const { jobs: shown, total } = await fetchJobs(context, query, most);
      const again = interactive && shown.some((job) => !isFinal(job.state));
      // A program gets one document: that of the end.
      const { json } = context.globals;
      if (interactive && !json && context.terminal.isTty.output) context.terminal.write("\x1b[2J\x1b[H");
      if (!json || !again) showJobs(context, shown);
      if (limit === undefined && total > shown.length)
        context.note(`${shown.length} of ${total} jobs, the newest: --limit N shows more`);
      if (!again) return;
      await sleep(REFRESH_MS, context.signal);
    }
  },
});

/** The newest jobs, page by page; all of them without a limit. */
async function fetchJobs(
  { client }: Context,
  filter: Query,
  limit: number | undefined,
): Promise<{ jobs: ListedJob[]; total: number }> {
  const query = { ...filter, fields: "result", sort: "start_timestamp:-1" };
  if (limit === undefined) {
    const jobs = await client.call<ListedJob[]>("GET /jobs", { query });
    return { jobs, total: jobs.length };
  }
  const jobs: ListedJob[] = [];
  for (let page = 0; ; page++) {
    const answer = await client.open("GET /jobs", {
      query: { ...query, page, per_page: Math.min(limit, PAGE_SIZE) },
    });
    const found = (await answer.json()) as ListedJob[];
    jobs.push(...found);
    if (jobs.length < limit && found.length > 0) continue;
    const total = Number(answer.headers.get("x-total-count") ?? jobs.length);
    return { jobs: jobs.slice(0, limit), total };
  }
}

function showJobs(context: Context, jobs: readonly ListedJob[]): void {
  answerTable(context, jobs, {
    columns: [
      { title: "ID", value: ({ id }) => id },
      { title: "TYPE", value: ({ type }) => type },
      { title: "MODEL", value: ({ model }) => model ?? "-" },
      { title: "STATE", value: describeState },
      instantColumn(context, "START", { at: (job) => job.start_timestamp, isWhole: true }),
      { title: "TOOK", align: "right", value: ({ duration }) => formatSpan(duration * 1000) },
      { title: "ERROR", value: ({ error }) => error ?? "" },
    ],
    name: ({ id }) => id,
    empty: "no jobs",
  });
}

function describeState(job: ListedJob): string {
  const share = job.state === "running" ? shareOf(job) : undefined;
  return share === undefined ? job.state : `${job.state} ${Math.floor(share * 100)} %`;
}

const showJob = defineCommand({
  name: "show-job",
  group: "jobs",
  summary: "Show jobs with their results, or wait for one",
  arguments: { job: { description: "Job id", many: true } },
  options: { wait: { short: "w", description: "Wait for their end; exit code 1 if one failed" } },
  examples: [["torus show-job --wait 3f1d6a52-0c3e-4a39-9d1d-2f6a4c1e7b10", "Ctrl-C cancels the job"]],
  async run(context, { arguments: { job: ids }, options: { wait } }) {
    if (wait) for (const id of ids) await followJob(context, id, "wait");
    const { client } = context;
    const jobs = await client.call<Job[]>(`GET ${pathOf("jobs", ids)}`);
    // Each alone: a list leaves large results out.
    for (const [index, job] of jobs.entries())
      if (job.result_omitted && ids.length > 1) jobs[index] = await client.getJob(job.id);
    await answerObjects(context, jobs);
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

const retryJob = defineCommand({
  name: "retry-job",
  group: "jobs",
  summary: "Submit failed or canceled jobs anew",
  arguments: { job: { description: "Job id", many: true } },
  options: { wait: { short: "w", description: "Wait for their end; exit code 1 if one failed" } },
  examples: [
    ["torus retry-job 3f1d6a52-0c3e-4a39-9d1d-2f6a4c1e7b10", "with the settings and the range of then"],
  ],
  async run(context, { arguments: { job: ids }, options: { wait } }) {
    const answer = await context.client.call<string[]>(`POST ${pathOf("jobs", ids)}/_retry`);
    if (wait) for (const id of answer) await followJob(context, id, "wait");
    answerDone(context, answer, `submitted ${answer.join(", ")}`);
  },
});

export const jobCommands = [listJobs, showJob, cancelJob, retryJob];
