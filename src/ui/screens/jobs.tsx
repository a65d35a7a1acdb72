// Jobs: running ones first, with progress; waiting and running ones can be canceled.
import { useEffect } from "preact/hooks";
import type { JobView } from "../../api/job.ts";
import { formatSpan } from "../lib/format.ts";
import { buildRoute } from "../lib/route.ts";
import { JobProgress } from "../parts/job-progress.tsx";
import { Empty, Loading, ProblemNote } from "../parts/notes.tsx";
import { TableHead } from "../parts/table-head.tsx";
import { moments, texts } from "../state/preferences.ts";
import { createResource } from "../state/resource.ts";
import { may, request } from "../state/session.ts";

const POLL_MS = 3000;
const MAX_ROWS = 200;
/** Work that the page itself causes when it is looked at. */
const hidden = new Set(["read", "prediction", "write"]);

const jobs = createResource((signal) =>
  request<readonly JobView[]>("/jobs?fields=result&include_fields=false", { signal }),
);

const order = ["running", "waiting"];
const rank = ({ state }: JobView) => (order.includes(state) ? order.indexOf(state) : order.length);

export function Jobs() {
  useEffect(() => jobs.follow(POLL_MS, ["job"]), []);
  const { jobs: title, noJobs } = texts.value;
  const { value, problem } = jobs.loaded.value;
  const shown = (value ?? [])
    .filter(({ type, state }) => !hidden.has(type) || state === "failed")
    .sort((a, b) => rank(a) - rank(b) || b.start_timestamp - a.start_timestamp)
    .slice(0, MAX_ROWS);
  return (
    <>
      <header class="head">
        <h1>{title}</h1>
      </header>
      {!value && !problem && <Loading />}
      {problem && <ProblemNote problem={problem} again={() => void jobs.refresh()} />}
      {value && shown.length === 0 && (
        <Empty>
          <p>{noJobs}</p>
        </Empty>
      )}
      {shown.length > 0 && <Table list={shown} />}
    </>
  );
}

function Table({ list }: { list: readonly JobView[] }) {
  const { jobColumns } = texts.value;
  return (
    <table>
      <TableHead titles={Object.values(jobColumns)} />
      <tbody>
        {list.map((job) => (
          <Row key={job.id} job={job} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ job }: { job: JobView }) {
  const { jobStates, jobTypes, cancel, cancelJob, left } = texts.value;
  const { id, type, state, model, progress, remaining_time, error, start_timestamp, duration } = job;
  const isOpen = state === "running" || state === "waiting";
  const stop = async () => {
    await request(`/jobs/${id}/_cancel`, { method: "POST" });
    await jobs.refresh();
  };
  return (
    <tr class={state}>
      <td>{jobStates[state]}</td>
      <th scope="row">
        {jobTypes[type]}
        {error && <small class="bad">{error}</small>}
      </th>
      <td>{model && <a href={buildRoute(["models", model])}>{model}</a>}</td>
      <td>
        {state === "running" && <JobProgress progress={progress} label={jobTypes[type]} />}
        {remaining_time !== undefined && <small>{left(formatSpan(remaining_time * 1000))}</small>}
        {isOpen && may.value("run") && (
          <button
            type="button"
            aria-label={cancelJob(jobTypes[type], model ?? "")}
            onClick={() => void stop()}
          >
            {cancel}
          </button>
        )}
      </td>
      <td>{moments.value.moment(start_timestamp, Date.now() / 1000)}</td>
      <td>{formatSpan(duration * 1000)}</td>
    </tr>
  );
}
