// Thresholds of a model, tried on its own scores: the state machine of live detection runs over them in the browser.
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { AnomalyRules } from "../../../../core/anomaly/state.ts";
import { formatSpan } from "../../../lib/format.ts";
import { nameOf } from "../../../lib/model-state.ts";
import { replay } from "../../../lib/replay.ts";
import { rulesOf } from "../../../lib/rules.ts";
import { Chips } from "../../../parts/form/controls.tsx";
import type { ModelTabProps } from "../../../parts/model-tabs.tsx";
import { Empty, Loading, ProblemNote } from "../../../parts/notes.tsx";
import { readScores } from "../../../state/anomalies/scores.ts";
import { texts } from "../../../state/preferences.ts";
import { createResource } from "../../../state/resource.ts";
import { Apply } from "./apply.tsx";
import { Preview } from "./preview.tsx";
import { Sliders } from "./sliders.tsx";
import { Verification } from "./verification.tsx";

const ranges = [7, 14, 30, 90] as const;
/** Days of scores below which a rate per week says little. */
const ENOUGH_DAYS = 14;
const DAY_S = 86_400;
/** Scores change while it is shown, but a preview that moves by itself cannot be compared. */
const POLL_MS = 600_000;

export function ModelTune({ model, refresh }: ModelTabProps) {
  const name = nameOf(model);
  const own = texts.value.tune;
  const days = useSignal<number>(30);
  const data = useMemo(
    () => createResource((signal) => readScores(name, days.value, signal)),
    [name, days.value],
  );
  useEffect(() => data.follow(POLL_MS, []), [data]);
  const current = rulesOf(model);
  const tried = useSignal<AnomalyRules>(current);
  const { value, problem } = data.loaded.value;
  if (!model.state.trained) return <Empty>{own.untrained}</Empty>;
  const scored = value ? value.scores.values.filter((score) => !Number.isNaN(score)).length : 0;
  const scoredDays = value ? (scored * value.scores.step) / DAY_S : 0;
  const apply = (
    <Apply
      model={model}
      tried={tried.value}
      isChanged={!isSame(tried.value, current)}
      onApplied={refresh}
      onReset={() => (tried.value = current)}
    />
  );
  return (
    <>
      <div class="toolbar">
        <Chips
          legend={own.range}
          isLegendShown
          values={ranges}
          nameOf={own.days}
          isPressed={(count) => days.value === count}
          onPick={(count) => (days.value = count)}
        />
      </div>
      <Sliders rules={tried.value} onChange={(rules) => (tried.value = rules)} />
      {problem && <ProblemNote problem={problem} again={() => void data.refresh()} />}
      {!value && !problem && <Loading />}
      {value && scored === 0 && <Empty>{own.noScores}</Empty>}
      {value && scored > 0 && (
        <Preview
          data={value}
          before={replay(value.scores, current)}
          tried={tried.value}
          current={current}
          name={name}
        >
          <div class="apply">
            {apply}
            {scoredDays < ENOUGH_DAYS && (
              <p class="quiet">{own.short(formatSpan(scoredDays * DAY_S * 1000))}</p>
            )}
          </div>
        </Preview>
      )}
      {scored === 0 && <section class="card">{apply}</section>}
      <Verification
        name={name}
        tried={tried.value}
        days={days.value}
        onChoose={(thresholds) => (tried.value = { ...tried.value, ...thresholds })}
      />
    </>
  );
}

function isSame(a: AnomalyRules, b: AnomalyRules): boolean {
  return (
    a.max === b.max &&
    a.min === b.min &&
    a.minDuration === b.minDuration &&
    a.gracePeriodMs === b.gracePeriodMs
  );
}
