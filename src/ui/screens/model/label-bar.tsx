// Bar of labelling: on and off, and times in place of dragging.

import { serverNow } from "../../state/clock.ts";
import { texts } from "../../state/preferences.ts";
import type { ChartData } from "../../state/series.ts";
import type { Labelling } from "./labelling.ts";

interface LabelBarProps {
  readonly labelling: Labelling;
  readonly shown: ChartData;
}

export function LabelBar({ labelling, shown: { times, step } }: LabelBarProps) {
  const { button, hint, enter, cancel } = texts.value.labels;
  if (!labelling.isOn)
    return (
      <button type="button" onClick={labelling.toggle}>
        {button}
      </button>
    );
  const last = (times.at(-1) ?? serverNow()) + step;
  return (
    <p class="hint">
      {hint}{" "}
      <button type="button" onClick={() => labelling.brush({ from: last - 3600, to: last })}>
        {enter}
      </button>{" "}
      <button type="button" onClick={labelling.toggle}>
        {cancel}
      </button>
    </p>
  );
}
