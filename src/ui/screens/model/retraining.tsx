// Trainings on a schedule: setting `retrain` of a model, as a sentence and a dialog.

import { useSignal } from "@preact/signals";
import { nameOf } from "../../lib/model-state.ts";
import { useAction } from "../../parts/action.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { ActionForm, Check, Input } from "../../parts/form/controls.tsx";
import type { ModelTabProps } from "../../parts/model-tabs.tsx";
import { ProblemNote } from "../../parts/notes.tsx";
import { describeEvery, EveryField, type EveryValue, inShownZone } from "../../parts/schedule/every.tsx";
import { NextRuns } from "../../parts/schedule/next-runs.tsx";
import { texts } from "../../state/preferences.ts";
import { may, request } from "../../state/session.ts";

interface Retrain {
  readonly every: EveryValue;
  readonly range: string | number;
  readonly max_evals?: number;
  readonly continue?: boolean;
  readonly guard?: boolean;
}

export function Retraining({ model, refresh }: ModelTabProps) {
  const retrain = model.settings.retrain as Retrain | undefined;
  const isOpen = useSignal(false);
  const action = useAction();
  const { schedule, scheduled, notScheduled, change, remove } = texts.value.versionsPage;
  const save = async (value: Retrain | null) => {
    const path = `/models/${encodeURIComponent(nameOf(model))}`;
    if (!(await action.run(() => request(path, { method: "PATCH", body: { retrain: value } })))) return;
    isOpen.value = false;
    await refresh();
  };
  return (
    <section class="card" aria-labelledby="retraining">
      <h2 id="retraining">{schedule}</h2>
      <p>{retrain ? scheduled(describeEvery(retrain.every), rangeText(retrain.range)) : notScheduled}</p>
      {may.value("admin") && (
        <div class="actions">
          <button type="button" onClick={() => (isOpen.value = true)}>
            {change}
          </button>
          {retrain && (
            <button type="button" disabled={action.isBusy.value} onClick={() => void save(null)}>
              {remove}
            </button>
          )}
        </div>
      )}
      {action.problem.value && !isOpen.value && <ProblemNote problem={action.problem.value} />}
      {isOpen.value && (
        <RetrainDialog
          retrain={retrain}
          action={action}
          onSave={(value) => void save(value)}
          onClose={() => (isOpen.value = false)}
        />
      )}
    </section>
  );
}

/** A number is seconds. */
const rangeText = (range: string | number) => (typeof range === "number" ? `${range}s` : range);

interface DialogProps {
  readonly retrain: Retrain | undefined;
  readonly action: ReturnType<typeof useAction>;
  readonly onSave: (value: Retrain) => void;
  readonly onClose: () => void;
}

function RetrainDialog({ retrain, action, onSave, onClose }: DialogProps) {
  const { schedule, length, lengthHint, guard, goOn, saveSchedule } = texts.value.versionsPage;
  const draft = useSignal<Retrain>(
    retrain ?? { every: inShownZone({ unit: "sunday", at: "03:00" }), range: "30d" },
  );
  const set = (change: Partial<Retrain>) => (draft.value = { ...draft.value, ...change });
  const check = (key: "guard" | "continue", label: string, fallback: boolean) => (
    <Check label={label} isOn={draft.value[key] ?? fallback} onChange={(isOn) => set({ [key]: isOn })} />
  );
  return (
    <Dialog title={schedule} onClose={onClose}>
      <ActionForm action={action} onSubmit={() => onSave(draft.value)} send={saveSchedule}>
        <EveryField value={draft.value.every} onChange={(every) => set({ every })} />
        <NextRuns every={draft.value.every} />
        <Input
          label={length}
          required
          value={rangeText(draft.value.range)}
          aria-describedby="retrain-length"
          onInput={(value) => set({ range: value.trim() })}
        >
          <small id="retrain-length">{lengthHint}</small>
        </Input>
        {check("guard", guard, true)}
        {check("continue", goOn, false)}
      </ActionForm>
    </Dialog>
  );
}
