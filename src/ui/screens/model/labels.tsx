// Labels of the shown range, each removable.
import type { LabelView } from "../../../api/label.ts";
import { formatSpan } from "../../lib/format.ts";
import { serverNow } from "../../state/clock.ts";
import { moments, texts } from "../../state/preferences.ts";
import { may } from "../../state/session.ts";

interface LabelsProps {
  readonly labels: readonly LabelView[];
  readonly onRemove: (label: LabelView) => void;
}

/** Nothing without labels: they are made in the chart. */
export function Labels({ labels, onRemove }: LabelsProps) {
  const own = texts.value.labels;
  if (labels.length === 0) return null;
  const now = serverNow();
  return (
    <section class="card" aria-labelledby="labels-title">
      <h2 id="labels-title">{own.list}</h2>
      <ul class="episodes">
        {labels.map((label) => {
          const moment = moments.value.moment(label.from, now);
          return (
            <li key={label.id}>
              <span>{moment}</span>
              <span class={label.anomaly ? "confirmed" : "quiet"}>
                {label.anomaly ? own.anomaly : own.normal}
              </span>
              <span>{[label.feature, label.note].filter(Boolean).join(": ")}</span>
              <span class="quiet">{formatSpan((label.to - label.from) * 1000)}</span>
              {may.value("run") && (
                <button
                  type="button"
                  class="quiet-button"
                  aria-label={own.removeOf(moment)}
                  onClick={() => onRemove(label)}
                >
                  ✕
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
