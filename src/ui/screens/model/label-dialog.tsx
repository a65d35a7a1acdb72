// Dialog of a label: a stretch of the chart marked as anomalous or normal, with a note.
import { useSignal } from "@preact/signals";
import type { LabelView } from "../../../api/label.ts";
import { parseTags } from "../../../core/model/series-text.ts";
import { formatOffset } from "../../lib/format.ts";
import type { Range } from "../../lib/range.ts";
import { useAction } from "../../parts/action.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { ActionForm, Input, Select } from "../../parts/form/controls.tsx";
import { moments, texts } from "../../state/preferences.ts";
import { request } from "../../state/session.ts";

interface LabelDialogProps {
  readonly model: string;
  /** Of a fleet, as in `host:a,cpu:0`. */
  readonly series: string | undefined;
  /** Brushed stretch. */
  readonly range: Range;
  readonly features: readonly string[];
  readonly onClose: () => void;
  readonly onAdded: (label: LabelView) => void;
}

export function LabelDialog({ model, series, range, features, onClose, onAdded }: LabelDialogProps) {
  const own = texts.value.labels;
  const draft = useSignal({ from: toDate(range.from), to: toDate(range.to), note: "", feature: "" });
  const action = useAction();
  const change = (part: Partial<typeof draft.value>) => (draft.value = { ...draft.value, ...part });
  const add = async (anomaly: boolean) => {
    const { from, to, note, feature } = draft.value;
    const body = {
      ...{ from, to, anomaly },
      ...(note && { note }),
      ...(feature && { feature }),
      ...(series !== undefined && { series: parseTags(series) }),
    };
    const path = `/models/${encodeURIComponent(model)}/labels`;
    const isDone = await action.run(async () =>
      onAdded(await request<LabelView>(path, { method: "POST", body })),
    );
    if (isDone) onClose();
  };
  return (
    <Dialog title={own.title} onClose={onClose}>
      <ActionForm action={action} onSubmit={() => add(true)}>
        <p class="quiet">{own.what}</p>
        <div class="two">
          <Input label={own.from} required value={draft.value.from} onInput={(from) => change({ from })} />
          <Input label={own.to} required value={draft.value.to} onInput={(to) => change({ to })} />
        </div>
        {features.length > 1 && (
          <Select
            label={own.feature}
            value={draft.value.feature}
            options={[["", own.allFeatures], ...features]}
            onChange={(feature) => change({ feature })}
          />
        )}
        <Input
          label={own.note}
          value={draft.value.note}
          maxLength={4096}
          onInput={(note) => change({ note })}
        />
        <p class="actions">
          <button type="submit" class="primary" disabled={action.isBusy.value}>
            {own.anomaly}
          </button>
          <button type="button" disabled={action.isBusy.value} onClick={() => void add(false)}>
            {own.normal}
          </button>
        </p>
      </ActionForm>
    </Dialog>
  );
}

/** The instant as the API reads it, with the offset of the shown zone: `2026-11-26T16:15:00+01:00`. */
function toDate(seconds: number): string {
  const at = Math.round(seconds);
  const offset = moments.value.offset(at);
  const local = new Date((at + offset) * 1000).toISOString().slice(0, -5);
  return `${local}${formatOffset(offset)}`;
}
