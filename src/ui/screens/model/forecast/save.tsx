// Dialogs of a forecast: saved to a bucket once, or again and again by a schedule.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { type ForecastRequest, forecastQuery } from "../../../lib/forecast/forecast.ts";
import { nameOf } from "../../../lib/model-state.ts";
import { buildRoute } from "../../../lib/route.ts";
import { type Action, useAction } from "../../../parts/action.ts";
import { Dialog } from "../../../parts/dialog.tsx";
import type { ModelTabProps } from "../../../parts/model-tabs.tsx";
import { ProblemNote } from "../../../parts/notes.tsx";
import { EveryField, type EveryValue } from "../../../parts/schedule/every.tsx";
import { NextRuns } from "../../../parts/schedule/next-runs.tsx";
import { texts } from "../../../state/preferences.ts";
import { createResource } from "../../../state/resource.ts";
import { request } from "../../../state/session.ts";

interface SaveProps extends Pick<ModelTabProps, "model"> {
  readonly wanted: ForecastRequest;
  readonly onClose: () => void;
}

const buckets = createResource((signal) => request<readonly { name: string }[]>("/buckets", { signal }));

const parametersOf = (bucket: string) => ({ save_output_data: true, output_bucket: bucket, bg: true });

export function SaveForecast({ model, wanted, onClose }: SaveProps) {
  const { save, saveWhat, saved } = texts.value.forecastPage;
  const bucket = useSignal(String(model.settings.default_bucket ?? ""));
  const isDone = useSignal(false);
  const action = useAction();
  const submit = async () => {
    const { constraint: _, ...rest } = wanted;
    const path = `/models/${encodeURIComponent(nameOf(model))}/_forecast?${forecastQuery(rest)}`;
    const send = () => request(path, { method: "POST", body: parametersOf(bucket.value) });
    isDone.value = await action.run(send);
  };
  return (
    <Dialog title={save} onClose={onClose}>
      <p>{saveWhat}</p>
      <Form action={action} label={save} isDone={isDone.value} onSubmit={submit}>
        <BucketField value={bucket.value} onChange={(name) => (bucket.value = name)} />
      </Form>
      {isDone.value && (
        <p role="status">
          {saved} <a href={buildRoute(["jobs"])}>{texts.value.jobs}</a>
        </p>
      )}
    </Dialog>
  );
}

export function ScheduleForecast({ model, wanted, onClose }: SaveProps) {
  const { schedule, scheduleWhat, scheduled, scheduleName } = texts.value.forecastPage;
  const bucket = useSignal(String(model.settings.default_bucket ?? ""));
  const name = useSignal(`forecast ${nameOf(model)}`);
  const every = useSignal<EveryValue>({ unit: "day", at: "03:00" });
  const isDone = useSignal(false);
  const action = useAction();
  const submit = async () => {
    const body = {
      name: name.value,
      method: "post",
      relative_url: `/models/${encodeURIComponent(nameOf(model))}/_forecast`,
      params: { to: `now+${wanted.horizon}`, p_val: wanted.level / 100, ...parametersOf(bucket.value) },
      every: every.value,
    };
    isDone.value = await action.run(() => request("/scheduled_jobs", { method: "POST", body }));
  };
  return (
    <Dialog title={schedule} onClose={onClose}>
      <p>{scheduleWhat(wanted.horizon)}</p>
      <Form action={action} label={schedule} isDone={isDone.value} onSubmit={submit}>
        <label>
          {scheduleName}
          <input
            required
            value={name.value}
            onInput={({ currentTarget }) => (name.value = currentTarget.value)}
          />
        </label>
        <BucketField value={bucket.value} onChange={(chosen) => (bucket.value = chosen)} />
        <EveryField value={every.value} onChange={(value) => (every.value = value)} />
        <NextRuns every={every.value} />
      </Form>
      {isDone.value && (
        <p role="status">
          {scheduled} <a href={buildRoute(["schedules"])}>{texts.value.schedules}</a>
        </p>
      )}
    </Dialog>
  );
}

interface FormProps {
  readonly action: Action;
  readonly label: string;
  readonly isDone: boolean;
  readonly onSubmit: () => Promise<void>;
  readonly children: ComponentChildren;
}

function Form({ action, label, isDone, onSubmit, children }: FormProps) {
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void onSubmit();
      }}
    >
      {children}
      {action.problem.value && <ProblemNote problem={action.problem.value} />}
      {!isDone && (
        <button type="submit" class="primary" disabled={action.isBusy.value}>
          {label}
        </button>
      )}
    </form>
  );
}

function BucketField({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  useEffect(() => void buckets.refresh(), []);
  const names = buckets.loaded.value.value?.map(({ name }) => name) ?? [];
  const known = value === "" || names.includes(value) ? names : [value, ...names];
  return (
    <label>
      {texts.value.forecastPage.toBucket}
      <select required value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {value === "" && <option value="" />}
        {known.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}
