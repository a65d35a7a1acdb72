// Dialogs of a forecast: saved to a bucket once, or again and again by a schedule.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type ForecastRequest, forecastQuery } from "../../../lib/forecast/forecast.ts";
import { nameOf } from "../../../lib/model-state.ts";
import { buildRoute } from "../../../lib/route.ts";
import { useAction } from "../../../parts/action.ts";
import { Dialog } from "../../../parts/dialog.tsx";
import { ActionForm, Input, Select } from "../../../parts/form/controls.tsx";
import type { ModelTabProps } from "../../../parts/model-tabs.tsx";
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
      <ActionForm action={action} onSubmit={submit} {...(!isDone.value && { send: save })}>
        <BucketField value={bucket.value} onChange={(name) => (bucket.value = name)} />
      </ActionForm>
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
      <ActionForm action={action} onSubmit={submit} {...(!isDone.value && { send: schedule })}>
        <Input label={scheduleName} required value={name.value} onInput={(value) => (name.value = value)} />
        <BucketField value={bucket.value} onChange={(chosen) => (bucket.value = chosen)} />
        <EveryField value={every.value} onChange={(value) => (every.value = value)} />
        <NextRuns every={every.value} />
      </ActionForm>
      {isDone.value && (
        <p role="status">
          {scheduled} <a href={buildRoute(["schedules"])}>{texts.value.schedules}</a>
        </p>
      )}
    </Dialog>
  );
}

function BucketField({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  useEffect(() => void buckets.refresh(), []);
  const names = buckets.loaded.value.value?.map(({ name }) => name) ?? [];
  const options = names.includes(value) ? names : [value, ...names];
  const { toBucket } = texts.value.forecastPage;
  return <Select required label={toBucket} value={value} options={options} onChange={onChange} />;
}
