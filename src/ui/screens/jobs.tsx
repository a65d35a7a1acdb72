// Jobs: running ones first, with progress; these can be canceled, failed and canceled ones run anew.

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { JobView } from "../../api/job.ts";
import { formatSpan } from "../lib/format.ts";
import { nameOf } from "../lib/model-state.ts";
import { buildRoute } from "../lib/route.ts";
import { writeYaml } from "../lib/yaml.ts";
import { useAction } from "../parts/action.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Facts } from "../parts/facts.tsx";
import { Select } from "../parts/form/controls.tsx";
import { JobProgress } from "../parts/job-progress.tsx";
import { JobMark } from "../parts/marks.tsx";
import { Empty, Loading, ProblemNote } from "../parts/notes.tsx";
import { Table } from "../parts/table.tsx";
import { serverNow } from "../state/clock.ts";
import { failureOf } from "../state/failure.ts";
import { isOpen, withReport } from "../state/jobs.ts";
import { models } from "../state/models.ts";
import { moments, texts } from "../state/preferences.ts";
import { createResource } from "../state/resource.ts";
import { route, setParams } from "../state/route.ts";
import { may, request } from "../state/session.ts";

const POLL_MS = 3000;
const MAX_ROWS = 200;
/** Characters of the details of a job. */
const MAX_TEXT = 20_000;
/** Work that the page itself causes when it is looked at. */
const hidden = new Set(["read", "prediction", "write"]);

const filters = ["state", "type", "model"] as const;

/** The filters of the address are those of the API. */
const jobs = createResource((signal) => {
  const { params } = route.value;
  const query = new URLSearchParams({ fields: "result", include_fields: "false" });
  for (const key of filters) if (params[key]) query.set(key, params[key]);
  return request<readonly JobView[]>(`/jobs?${query}`, { signal });
});

const order = ["running", "waiting"];
const rank = ({ state }: JobView) => (order.includes(state) ? order.indexOf(state) : order.length);

export function Jobs() {
  const { params } = route.value;
  const isFiltered = filters.some((key) => params[key]);
  useEffect(() => jobs.follow(POLL_MS, ["job"]), [filters.map((key) => params[key]).join(";")]);
  const opened = useSignal<JobView | undefined>(undefined);
  const { jobs: title, noJobs, jobsPage, clear } = texts.value;
  const { value, problem } = jobs.loaded.value;
  const shown = (value ?? [])
    .filter(({ type, state }) => !hidden.has(type) || state === "failed" || params.type === type)
    .sort((a, b) => rank(a) - rank(b) || b.start_timestamp - a.start_timestamp)
    .slice(0, MAX_ROWS);
  return (
    <>
      <header class="head">
        <h1>{title}</h1>
        <Filters />
      </header>
      {!value && !problem && <Loading />}
      {problem && <ProblemNote problem={problem} again={() => void jobs.refresh()} />}
      {value && shown.length === 0 && (
        <Empty>
          <p>{isFiltered ? jobsPage.noneLikeThis : noJobs}</p>
          {isFiltered && (
            <button
              type="button"
              onClick={() => setParams({ state: undefined, type: undefined, model: undefined })}
            >
              {clear}
            </button>
          )}
        </Empty>
      )}
      {shown.length > 0 && <JobsTable list={shown} onOpen={(job) => (opened.value = job)} />}
      {opened.value && <Details job={opened.value} onClose={() => (opened.value = undefined)} />}
    </>
  );
}

function Filters() {
  const { jobsPage, jobStates, jobTypes } = texts.value;
  const names = models.loaded.value.value?.map(nameOf) ?? [];
  useEffect(() => void models.refresh(), []);
  const choice = (key: (typeof filters)[number], values: readonly (string | readonly [string, string])[]) => (
    <Select
      label={jobsPage[key]}
      value={route.value.params[key] ?? ""}
      options={[["", jobsPage.any], ...values]}
      onChange={(value) => setParams({ [key]: value })}
    />
  );
  return (
    <div class="filters">
      {choice("state", Object.entries(jobStates))}
      {choice("type", Object.entries(jobTypes))}
      {choice("model", names)}
    </div>
  );
}

/** Everything the server says of a job, with its result. */
function Details({ job, onClose }: { job: JobView; onClose: () => void }) {
  const { jobsPage, jobTypes } = texts.value;
  const whole = useMemo(
    () => createResource((signal) => request<readonly [JobView]>(`/jobs/${job.id}`, { signal })),
    [job.id],
  );
  useEffect(() => void whole.refresh(), [whole]);
  const { value, problem } = whole.loaded.value;
  const title = jobsPage.detailsOf(jobTypes[job.type], moments.value.moment(job.start_timestamp, 0));
  return (
    <Dialog title={title} onClose={onClose}>
      {problem && <ProblemNote problem={problem} again={() => void whole.refresh()} />}
      {!value && !problem && <Loading />}
      {value && <JobFacts job={value[0]} />}
    </Dialog>
  );
}

function JobFacts({ job }: { job: JobView }) {
  const { jobsPage: own, jobColumns, jobStates } = texts.value;
  const { state, model, result, result_omitted: isOmitted } = job;
  const error = failureOf(job);
  const { start_timestamp: start, end_timestamp: end, duration } = job;
  const facts: [name: string, value: string | undefined][] = [
    [jobColumns.state, jobStates[state]],
    [jobColumns.model, model],
    [jobColumns.started, moments.value.whole(start)],
    [own.ended, end === undefined ? undefined : moments.value.whole(end)],
    [jobColumns.took, formatSpan(Math.max(1000, duration * 1000))],
    [own.id, job.id],
  ];
  return (
    <>
      <Facts facts={facts.filter(([, fact]) => fact !== undefined)} />
      {error && <p class="bad">{error}</p>}
      {isOmitted && <p class="quiet">{own.omitted}</p>}
      {result !== null && (
        <>
          <h3>{own.result}</h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be in reach of the keyboard */}
          <pre tabIndex={0}>{writeYaml(result).slice(0, MAX_TEXT)}</pre>
        </>
      )}
    </>
  );
}

interface TableProps {
  readonly list: readonly JobView[];
  readonly onOpen: (job: JobView) => void;
}

function JobsTable({ list, onOpen }: TableProps) {
  const { jobColumns } = texts.value;
  return (
    <Table titles={Object.values(jobColumns)}>
      {list.map((job) => (
        <Row key={job.id} job={job} onOpen={() => onOpen(job)} />
      ))}
    </Table>
  );
}

function Row({ job, onOpen }: { job: JobView; onOpen: () => void }) {
  const { jobTypes, cancel, cancelJob, left, jobsPage } = texts.value;
  const { progress, remaining_time } = withReport(job);
  const { id, type, state, model, start_timestamp, duration } = job;
  const error = failureOf(job);
  const action = useAction();
  const post = async (verb: string) => {
    await action.run(() => request(`/jobs/${id}/${verb}`, { method: "POST" }));
    await jobs.refresh();
  };
  return (
    <tr class={state}>
      <td>
        <JobMark state={state} />
      </td>
      <th scope="row" class="words">
        {jobTypes[type]}
        {error && <small class="bad">{error}</small>}
        {action.problem.value && <ProblemNote problem={action.problem.value} />}
      </th>
      <td>{model && <a href={buildRoute(["models", model])}>{model}</a>}</td>
      <td>{moments.value.moment(start_timestamp, serverNow())}</td>
      <td>{formatSpan(Math.max(1000, duration * 1000))}</td>
      <td>
        {state === "running" && <JobProgress progress={progress} label={jobTypes[type]} />}
        {remaining_time !== undefined && <small>{left(formatSpan(remaining_time * 1000))}</small>}
        {(state === "failed" || state === "canceled") && may.value("run") && (
          <button
            type="button"
            disabled={action.isBusy.value}
            aria-label={jobsPage.againOf(jobTypes[type], model ?? "")}
            onClick={() => void post("_retry")}
          >
            {jobsPage.again}
          </button>
        )}
        {isOpen(job) && may.value("run") && (
          <button
            type="button"
            aria-label={cancelJob(jobTypes[type], model ?? "")}
            onClick={() => void post("_cancel")}
          >
            {cancel}
          </button>
        )}
        <button
          type="button"
          class="link"
          aria-label={jobsPage.detailsOf(jobTypes[type], moments.value.moment(start_timestamp, 0))}
          onClick={onOpen}
        >
          {jobsPage.details}
        </button>
      </td>
    </tr>
  );
}
