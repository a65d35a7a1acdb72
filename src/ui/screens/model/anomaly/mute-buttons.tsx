// Mutes from an anomaly: for two hours, or at this hour of every day; of a fleet for this series or for all.

import { useSignal } from "@preact/signals";
import type { AnomalyDetailView } from "../../../../api/anomaly.ts";
import type { MuteWindow } from "../../../../core/model/mute.ts";
import { type MuteChoice, muteWindow, withoutPast } from "../../../lib/anomalies/mute-once.ts";
import { nameOf } from "../../../lib/model-state.ts";
import { useAction } from "../../../parts/action.ts";
import { describeMute } from "../../../parts/anomalies/describe-mute.ts";
import { Check } from "../../../parts/form/controls.tsx";
import { ProblemNote } from "../../../parts/notes.tsx";
import { serverNow } from "../../../state/clock.ts";
import { changeMute } from "../../../state/fleet.ts";
import { texts, zoneName } from "../../../state/preferences.ts";
import { may } from "../../../state/session.ts";
import type { DetailProps } from "./detail.ts";

const HOURS = 2;

interface MuteProps extends Pick<DetailProps, "model" | "refresh"> {
  readonly anomaly: AnomalyDetailView;
}

export function MuteButtons({ model, anomaly, refresh }: MuteProps) {
  const { detail: own, inbox } = texts.value;
  const isAll = useSignal(anomaly.series === undefined);
  const made = useSignal<MuteWindow | undefined>(undefined);
  const action = useAction();
  if (!may.value("admin")) return null;
  const now = serverNow();
  const change = (next: (all: readonly MuteWindow[]) => readonly MuteWindow[]) =>
    action.run(async () => {
      await changeMute(nameOf(model), next);
      await refresh();
    });
  const mute = async (choice: MuteChoice) => {
    const series = isAll.value ? undefined : anomaly.series;
    const options = { hours: HOURS, now, start: anomaly.start, timezone: zoneName.value, series };
    const window = muteWindow(choice, options);
    if (await change((all) => [...withoutPast(all, now), window])) made.value = window;
  };
  const undo = async () => {
    const own = JSON.stringify(made.value);
    if (await change((all) => all.filter((window) => JSON.stringify(window) !== own))) made.value = undefined;
  };
  return (
    <>
      <h3>{own.mute}</h3>
      {anomaly.series && (
        <Check label={own.onlySeries} isOn={!isAll.value} onChange={(isOn) => (isAll.value = !isOn)} />
      )}
      <p class="actions">
        <button type="button" disabled={action.isBusy.value} onClick={() => void mute("hours")}>
          {own.muteHours(HOURS)}
        </button>
        <button type="button" disabled={action.isBusy.value} onClick={() => void mute("daily")}>
          {own.muteDaily}
        </button>
      </p>
      <p class="actions" role="status">
        {made.value && own.muted(describeMute(made.value))}
        {made.value && (
          <button type="button" onClick={() => void undo()}>
            {inbox.undoJudged.undo}
          </button>
        )}
      </p>
      {action.problem.value && <ProblemNote problem={action.problem.value} />}
    </>
  );
}
