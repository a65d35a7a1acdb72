// Scheduled jobs: next run and last outcome; run now, pause, edit, delete.
import { useSignal } from "@preact/signals";
import { Fragment } from "preact";
import { useEffect } from "preact/hooks";
import type { ScheduledJobView } from "../../api/scheduled-job.ts";
import { formatDuration } from "../lib/format.ts";
import { buildRoute } from "../lib/route.ts";
import { emptyDraft, reportDraft, type ScheduleSummary, summarizeSchedule } from "../lib/schedule-draft.ts";
import { writeYaml } from "../lib/yaml.ts";
import { useAction } from "../parts/action.ts";
import { ConfirmDelete } from "../parts/confirm-delete.tsx";
import { Empty, Loading, ProblemNote } from "../parts/notes.tsx";
import { describeEvery } from "../parts/schedule/every.tsx";
import { ScheduleDialog } from "../parts/schedule/schedule-dialog.tsx";
import { Table } from "../parts/table.tsx";
import { removeResource } from "../state/bin.ts";
import { serverNow } from "../state/clock.ts";
import { failureOf } from "../state/failure.ts";
import { moments, texts } from "../state/preferences.ts";
import { createResource } from "../state/resource.ts";
import { route, setParams } from "../state/route.ts";
import { may, request } from "../state/session.ts";

const POLL_MS = 5000;

const schedules = createResource((signal) =>
  request<readonly ScheduledJobView[]>("/scheduled_jobs", { signal }),
);

export function Schedules() {
  useEffect(() => schedules.follow(POLL_MS, ["job"]), []);
  const isReport = route.value.params.new === "report";
  const edited = useSignal<ScheduledJobView | "new" | undefined>(
    isReport && may.value("admin") ? "new" : undefined,
  );
  const { title, add, none } = texts.value.schedulesPage;
  const { value, problem } = schedules.loaded.value;
  const close = () => {
    edited.value = undefined;
    setParams({ new: undefined });
  };
  return (
    <>
      <header class="head">
        <h1>{title}</h1>
        {may.value("admin") && (
          <button type="button" class="primary end" onClick={() => (edited.value = "new")}>
            {add}
          </button>
        )}
      </header>
      {!value && !problem && <Loading />}
      {problem && <ProblemNote problem={problem} again={() => void schedules.refresh()} />}
      {value?.length === 0 && (
        <Empty>
          <p>{none}</p>
        </Empty>
      )}
      {value && value.length > 0 && <SchedulesTable list={value} onEdit={(job) => (edited.value = job)} />}
      {edited.value && (
        <ScheduleDialog
          job={edited.value === "new" ? undefined : edited.value}
          draft={isReport ? reportDraft : emptyDraft}
          onClose={close}
          onSaved={schedules.refresh}
        />
      )}
    </>
  );
}

interface TableProps {
  readonly list: readonly ScheduledJobView[];
  readonly onEdit: (job: ScheduledJobView) => void;
}

function SchedulesTable({ list, onEdit }: TableProps) {
  const { columns } = texts.value.schedulesPage;
  return (
    <Table titles={Object.values(columns)}>
      {list.map((job) => (
        <Row key={job.name} job={job} onEdit={() => onEdit(job)} />
      ))}
    </Table>
  );
}

function Row({ job, onEdit }: { job: ScheduledJobView; onEdit: () => void }) {
  const { paused } = texts.value.schedulesPage;
  const { name, every, enabled, next_run_timestamp } = job;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <What job={job} />
      </td>
      <td>{describeEvery(every)}</td>
      <td>
        {enabled === false ? (
          <strong class="quiet">{paused}</strong>
        ) : (
          moments.value.moment(next_run_timestamp, serverNow())
        )}
      </td>
      <td>
        <Outcome job={job} />
      </td>
      <td>{may.value("admin") && <Actions job={job} onEdit={onEdit} />}</td>
    </tr>
  );
}

/** The request in words, with links to its models; as it is sent behind them. */
function What({ job }: { job: ScheduledJobView }) {
  const { request } = texts.value.schedulesPage;
  const { method, relative_url, params, json } = job;
  const line = `${method.toUpperCase()} ${relative_url}`;
  const summary = summarizeSchedule(job);
  return (
    <>
      {summary ? <Summary of={summary} /> : <code>{line}</code>}
      <details>
        <summary>{request}</summary>
        <pre>{[line, writeYaml({ params, json })].join("\n")}</pre>
      </details>
    </>
  );
}

function Summary({ of: summary }: { of: ScheduleSummary }) {
  const { what } = texts.value.schedulesPage;
  const range = formatDuration(summary.range);
  if (summary.kind === "report") return <>{what.report(range, summary.to)}</>;
  const { kind, model, bucket } = summary;
  const [before, after] = what[kind](range, bucket);
  return (
    <>
      {before}
      {model.split(";").map((name, i) => (
        <Fragment key={name}>
          {i > 0 && ", "}
          <a href={buildRoute(["models", name])}>{name}</a>
        </Fragment>
      ))}
      {after}
    </>
  );
}

function Outcome({ job }: { job: ScheduledJobView }) {
  const { ok, last_run_timestamp: at } = job;
  const { never, done } = texts.value.schedulesPage;
  if (at === undefined) return <span class="quiet">{never}</span>;
  const moment = moments.value.moment(at, serverNow());
  return ok ? (
    <span>{done(moment)}</span>
  ) : (
    <span class="bad">
      {moment}: {failureOf(job)}
    </span>
  );
}

function Actions({ job, onEdit }: { job: ScheduledJobView; onEdit: () => void }) {
  const page = texts.value.schedulesPage;
  const { name, enabled } = job;
  const action = useAction();
  const isDeleting = useSignal(false);
  const path = `/scheduled_jobs/${encodeURIComponent(name)}`;
  const act = async (work: () => Promise<unknown>) => {
    await action.run(work);
    await schedules.refresh();
  };
  const ofModel = modelOfRetraining(job);
  const button = (label: string, hint: (name: string) => string, work: () => void) => (
    <button type="button" aria-label={hint(name)} disabled={action.isBusy.value} onClick={work}>
      {label}
    </button>
  );
  const pause = () => act(() => request(path, { method: "PATCH", body: { enabled: enabled === false } }));
  return (
    <div class="actions">
      {button(page.run, page.runJob, () => void act(() => request(`${path}/_run`, { method: "POST" })))}
      {ofModel !== undefined && <a href={buildRoute(["models", ofModel, "versions"])}>{page.atModel}</a>}
      {ofModel === undefined && (
        <>
          {enabled === false
            ? button(page.resume, page.resumeJob, () => void pause())
            : button(page.pause, page.pauseJob, () => void pause())}
          {button(page.edit, page.editJob, onEdit)}
          {button(page.remove, page.removeJob, () => (isDeleting.value = true))}
        </>
      )}
      {action.problem.value && <ProblemNote problem={action.problem.value} />}
      {isDeleting.value && (
        <ConfirmDelete
          name={name}
          title={page.removeJob(name)}
          work={() => removeResource(path, name, schedules.refresh)}
          onClose={() => (isDeleting.value = false)}
          onDeleted={schedules.refresh}
        />
      )}
    </div>
  );
}

/** The model whose setting `retrain` the job is; its settings change it. */
function modelOfRetraining({ name, relative_url }: ScheduledJobView): string | undefined {
  const model = name.startsWith("retrain ") ? name.slice("retrain ".length) : undefined;
  return model !== undefined && relative_url === `/models/${model}/_train` ? model : undefined;
}
