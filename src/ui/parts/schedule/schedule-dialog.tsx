// Dialog of a schedule: a training, forecast, start, stop or report in fields, or any request; with its next runs.
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ScheduledJobView } from "../../../api/scheduled-job.ts";
import { nameOf } from "../../lib/model-state.ts";
import {
  readSchedule,
  type ScheduleDraft,
  type ScheduleKind,
  scheduleKinds,
  writeSchedule,
} from "../../lib/schedule-draft.ts";
import { buckets } from "../../state/buckets.ts";
import { models } from "../../state/models.ts";
import { texts } from "../../state/preferences.ts";
import { request } from "../../state/session.ts";
import { useAction } from "../action.ts";
import { Dialog } from "../dialog.tsx";
import { ActionForm, Input, Select } from "../form/controls.tsx";
import { EveryField, inShownZone } from "./every.tsx";
import { NextRuns } from "./next-runs.tsx";

const methods = ["post", "get", "patch", "delete", "head"] as const;

interface ScheduleDialogProps {
  /** Absent: a new one. */
  readonly job: ScheduledJobView | undefined;
  /** A new one begins with it. */
  readonly draft: ScheduleDraft;
  readonly onClose: () => void;
  readonly onSaved: () => Promise<void>;
}

type Fields = Signal<ScheduleDraft>;

export function ScheduleDialog({ job, draft: first, onClose, onSaved }: ScheduleDialogProps) {
  const { add, editJob, save, kinds, kindLabel, name } = texts.value.schedulesPage;
  const draft: Fields = useSignal(job ? readSchedule(job) : { ...first, every: inShownZone(first.every) });
  const action = useAction();
  useEffect(() => {
    void models.refresh();
    void buckets.refresh();
  }, []);
  const submit = async () => {
    const definition = writeSchedule(draft.value);
    const { name: own, ...rest } = definition;
    const change = { params: null, json: null, ...rest };
    const send = () =>
      job
        ? request(`/scheduled_jobs/${encodeURIComponent(own)}`, { method: "PATCH", body: change })
        : request("/scheduled_jobs", { method: "POST", body: definition });
    if (!(await action.run(send))) return;
    onClose();
    await onSaved();
  };
  const set = (change: Partial<ScheduleDraft>) => (draft.value = { ...draft.value, ...change });
  return (
    <Dialog title={job ? editJob(job.name) : add} onClose={onClose}>
      <ActionForm action={action} onSubmit={submit} send={save}>
        {!job && (
          <Input
            label={name}
            required
            maxLength={256}
            value={draft.value.name}
            onInput={(name) => set({ name })}
          />
        )}
        <Select
          label={kindLabel}
          value={draft.value.kind}
          options={scheduleKinds.map((kind) => [kind, kinds[kind]] as const)}
          onChange={(kind) => set({ kind })}
        />
        <KindFields draft={draft} />
        <EveryField value={draft.value.every} onChange={(every) => set({ every })} />
        <NextRuns every={draft.value.every} />
      </ActionForm>
    </Dialog>
  );
}

function KindFields({ draft }: { draft: Fields }) {
  const { kind } = draft.value;
  if (kind === "request") return <RequestFields draft={draft} />;
  return kind === "report" ? <ReportFields draft={draft} /> : <ModelFields draft={draft} />;
}

function ReportFields({ draft }: { draft: Fields }) {
  const { to, sender, reportRange } = texts.value.schedulesPage;
  return (
    <>
      <Text label={to} draft={draft} field="to" placeholder="ops@example.org" />
      <Text label={sender} draft={draft} field="sender" placeholder="Torus <torus@example.org>" />
      <Text label={reportRange} draft={draft} field="range" />
    </>
  );
}

function ModelFields({ draft }: { draft: Fields }) {
  const { model, trainRange, horizon, bucket } = texts.value.schedulesPage;
  const { kind } = draft.value;
  const names = models.loaded.value.value?.map(nameOf) ?? [];
  const ranges: Partial<Record<ScheduleKind, string>> = { train: trainRange, forecast: horizon };
  return (
    <>
      <Choice label={model} draft={draft} field="model" values={names} />
      {ranges[kind] && <Text label={ranges[kind]} draft={draft} field="range" />}
      {kind === "forecast" && (
        <Choice
          label={bucket}
          draft={draft}
          field="bucket"
          values={buckets.loaded.value.value?.map(({ name }) => name) ?? []}
        />
      )}
    </>
  );
}

function RequestFields({ draft }: { draft: Fields }) {
  const { method, path, params, body } = texts.value.schedulesPage;
  return (
    <>
      <Choice label={method} draft={draft} field="method" values={methods} />
      <Text label={path} draft={draft} field="path" />
      <Lines label={params} draft={draft} field="params" />
      <Lines label={body} draft={draft} field="body" />
    </>
  );
}

interface FieldProps {
  readonly label: string;
  readonly draft: Fields;
  readonly field: Exclude<keyof ScheduleDraft, "kind" | "name" | "every">;
}

const setterOf =
  ({ draft, field }: FieldProps) =>
  (value: string) => {
    draft.value = { ...draft.value, [field]: value };
  };

/** One of the values, or the stored one that is no longer among them. */
function Choice({ values, ...props }: FieldProps & { values: readonly string[] }) {
  const value = props.draft.value[props.field];
  const options = values.includes(value) ? values : [value, ...values];
  return <Select required label={props.label} value={value} options={options} onChange={setterOf(props)} />;
}

function Text({ placeholder, ...props }: FieldProps & { placeholder?: string }) {
  const value = props.draft.value[props.field];
  return (
    <Input
      required
      label={props.label}
      value={value}
      {...(placeholder && { placeholder })}
      onInput={setterOf(props)}
    />
  );
}

function Lines(props: FieldProps) {
  return (
    <label>
      {props.label}
      <textarea
        class="code"
        rows={3}
        spellcheck={false}
        value={props.draft.value[props.field]}
        onInput={({ currentTarget }) => setterOf(props)(currentTarget.value)}
      />
    </label>
  );
}
