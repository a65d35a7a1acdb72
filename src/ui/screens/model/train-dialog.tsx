// Dialog of a training: range with a sketch of its data, number of trials, continuation of the active version.
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { coverageOf } from "../../lib/coverage.ts";
import { nameOf } from "../../lib/model-state.ts";
import { useAction } from "../../parts/action.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { ActionForm, Check, Chips, Input } from "../../parts/form/controls.tsx";
import type { ModelTabProps } from "../../parts/model-tabs.tsx";
import { ProblemNote } from "../../parts/notes.tsx";
import { readFolded } from "../../state/chart/folded.ts";
import { serverNow } from "../../state/clock.ts";
import { moments, texts } from "../../state/preferences.ts";
import { createResource } from "../../state/resource.ts";
import { request } from "../../state/session.ts";
import { TrainingMap } from "./training-map.tsx";

const presets = ["7d", "30d", "90d", "365d"] as const;
/** Hyper-parameter trials by thoroughness. */
const efforts = { quick: 1, normal: 3, thorough: 10 } as const;
type Effort = keyof typeof efforts;
/** Milliseconds without a key before the range is read. */
const PATIENCE_MS = 400;
const CELLS = 240;

interface TrainProps extends Pick<ModelTabProps, "model"> {
  readonly onClose: () => void;
  readonly onSubmitted: () => Promise<void>;
}

export function TrainDialog({ model, onClose, onSubmitted }: TrainProps) {
  const { train, from, to, dateHint, presetsLabel, goOn, effort } = texts.value.versionsPage;
  const name = nameOf(model);
  const range = useSignal({ from: "now-30d", to: "now" });
  const chosen = useSignal<Effort>("normal");
  const isContinued = useSignal(false);
  const action = useAction();
  const submit = async () => {
    const body = {
      ...range.value,
      max_evals: efforts[chosen.value],
      ...(isContinued.value && { continue: true }),
    };
    const path = `/models/${encodeURIComponent(name)}/_train`;
    if (!(await action.run(() => request(path, { method: "POST", body })))) return;
    onClose();
    await onSubmitted();
  };
  const field = (key: "from" | "to", label: string) => (
    <Input
      label={label}
      required
      value={range.value[key]}
      aria-describedby="train-dates"
      onInput={(value) => (range.value = { ...range.value, [key]: value })}
    />
  );
  return (
    <Dialog title={train} onClose={onClose}>
      <ActionForm action={action} onSubmit={submit} send={train}>
        <Chips
          legend={presetsLabel}
          isLegendShown
          values={presets}
          nameOf={(preset) => texts.value.ranges[preset]}
          isPressed={(preset) => range.value.from === `now-${preset}` && range.value.to === "now"}
          onPick={(preset) => (range.value = { from: `now-${preset}`, to: "now" })}
        />
        <div class="two">
          {field("from", from)}
          {field("to", to)}
        </div>
        <small id="train-dates">{dateHint}</small>
        <TrainingMap model={model} range={range} />
        <Found name={name} from={range.value.from} to={range.value.to} />
        <Efforts legend={effort} chosen={chosen} />
        {model.state.trained && (
          <Check label={goOn} isOn={isContinued.value} onChange={(isOn) => (isContinued.value = isOn)} />
        )}
      </ActionForm>
    </Dialog>
  );
}

function Efforts({ legend, chosen }: { readonly legend: string; readonly chosen: Signal<Effort> }) {
  return (
    <fieldset class="choices">
      <legend>{legend}</legend>
      {(Object.keys(efforts) as Effort[]).map((key) => (
        <label key={key} class="check">
          <input
            type="radio"
            name="effort"
            checked={chosen.value === key}
            onChange={() => (chosen.value = key)}
          />
          {texts.value.versionsPage.efforts[key]}
        </label>
      ))}
    </fieldset>
  );
}

interface FoundProps {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/** The share of the range that has data. */
function Found({ name, from, to }: FoundProps) {
  const series = useMemo(
    () =>
      createResource((signal) => {
        const query = new URLSearchParams({
          from,
          to,
          points: String(CELLS),
          parts: "observed",
          pooled: "true",
        });
        return readFolded(name, query.toString(), signal);
      }),
    [name, from, to],
  );
  useEffect(() => {
    const timer = setTimeout(() => void series.refresh(), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [series]);
  const { value, problem } = series.loaded.value;
  const { found, nothingFound, reading } = texts.value.versionsPage;
  if (problem) return <ProblemNote problem={problem} />;
  const coverage = value && coverageOf(value);
  return (
    <p class="quiet" aria-live="polite">
      {!value && reading}
      {value && !coverage && nothingFound}
      {coverage &&
        found(
          moments.value.moment(coverage.from, 0),
          moments.value.moment(Math.min(coverage.to, serverNow()), 0),
          String(Math.round(coverage.share * 100)),
        )}
    </p>
  );
}
