// Labelling of a chart: brushing on and off by L, the dialog of a brushed stretch, added and removed labels.
import { type Signal, useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import type { LabelView } from "../../../api/label.ts";
import type { Range } from "../../lib/range.ts";
import { isTyping } from "../../parts/shell.tsx";
import type { ChartData } from "../../state/chart/series.ts";
import { may, request } from "../../state/session.ts";

export interface Labelling {
  /** Whether dragging over the chart marks a stretch. */
  readonly isOn: boolean;
  /** Stretch of the open dialog. */
  readonly range: Range | undefined;
  readonly toggle: () => void;
  /** Opens the dialog. */
  readonly brush: (range: Range) => void;
  readonly close: () => void;
  readonly add: (label: LabelView) => void;
  readonly remove: (label: LabelView) => Promise<void>;
}

/** @param data the shown data, whose labels are changed in place of a read */
export function useLabelling(model: string, data: Signal<ChartData | undefined>): Labelling {
  const isOn = useSignal(false);
  const range = useSignal<Range | undefined>(undefined);
  const toggle = () => (isOn.value = !isOn.value);
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "l" && may.value("run")) toggle();
      if (event.key === "Escape") isOn.value = false;
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  const change = (labels: (before: readonly LabelView[]) => readonly LabelView[]) => {
    const shown = data.peek();
    if (shown) data.value = { ...shown, labels: labels(shown.labels) };
  };
  return {
    isOn: isOn.value,
    range: range.value,
    toggle,
    brush: (brushed) => (range.value = brushed),
    close: () => {
      range.value = undefined;
      isOn.value = false;
    },
    add: (label) => change((before) => [...before, label]),
    remove: async ({ id }) => {
      await request(`/models/${encodeURIComponent(model)}/labels/${id}`, { method: "DELETE" });
      change((before) => before.filter((other) => other.id !== id));
    },
  };
}
