// Tried rules put in force, with a way back; or left to the model.
import { useSignal } from "@preact/signals";
import type { AnomalyRules } from "../../../../core/anomaly/state.ts";
import { nameOf } from "../../../lib/model-state.ts";
import { useAction } from "../../../parts/action.ts";
import type { ModelTabProps } from "../../../parts/model-tabs.tsx";
import { ProblemNote } from "../../../parts/notes.tsx";
import { texts } from "../../../state/preferences.ts";
import { may, request } from "../../../state/session.ts";

interface ApplyProps {
  readonly model: ModelTabProps["model"];
  readonly tried: AnomalyRules;
  readonly isChanged: boolean;
  readonly onApplied: () => Promise<void>;
  readonly onReset: () => void;
}

type Patch = Readonly<Record<string, unknown>>;

/** Settings that this page changes; 0 is automatic. */
const automatic: Patch = { max_threshold: 0, min_threshold: 0 };

export function Apply({ model, tried, isChanged, onApplied, onReset }: ApplyProps) {
  const own = texts.value.tune;
  const action = useAction();
  const before = useSignal<Patch | undefined>(undefined);
  if (!may.value("admin")) return <p class="quiet">{own.readOnly}</p>;
  const path = `/models/${encodeURIComponent(nameOf(model))}`;
  const send = async (body: Patch, undo: Patch | undefined) => {
    if (!(await action.run(() => request(path, { method: "PATCH", body })))) return;
    before.value = undo;
    await onApplied();
  };
  const undo = () => pick(model.settings as Patch);
  return (
    <div>
      <p class="actions">
        <button
          type="button"
          class="primary"
          disabled={!isChanged || action.isBusy.value}
          onClick={() => void send(toPatch(tried), undo())}
        >
          {own.apply}
        </button>
        <button type="button" disabled={!isChanged} onClick={onReset}>
          {own.reset}
        </button>
        {model.state.thresholds?.source !== "automatic" && (
          <button
            type="button"
            disabled={action.isBusy.value}
            onClick={() => void send(automatic, undo()).then(onReset)}
          >
            {own.automatic}
          </button>
        )}
        <span class="quiet">{own.sources[model.state.thresholds?.source ?? "automatic"]}</span>
      </p>
      {before.value && (
        <p class="note" role="status">
          {own.applied}{" "}
          <button type="button" onClick={() => void send(before.value!, undefined)}>
            {own.undo}
          </button>
        </p>
      )}
      {action.problem.value && <ProblemNote problem={action.problem.value} />}
    </div>
  );
}

function toPatch({ max, min, minDuration, gracePeriodMs, notifyAfter }: AnomalyRules): Patch {
  const duration = notifyAfter ? {} : { min_duration: minDuration };
  return { max_threshold: max, min_threshold: min, ...duration, grace_period: gracePeriodMs / 1000 };
}

/** The settings before, with their defaults. */
function pick(settings: Patch): Patch {
  const { max_threshold = 0, min_threshold = 0, min_duration = 1, grace_period = 0 } = settings;
  const duration = settings.notify_after ? {} : { min_duration };
  return { max_threshold, min_threshold, ...duration, grace_period };
}
