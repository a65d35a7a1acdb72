// Dialog of a training: range with a sketch of its data, number of trials, continuation of the active version.
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { ModelSeriesView } from "../../../api/series.ts";
import { coverageOf } from "../../lib/coverage.ts";
import { nameOf } from "../../lib/model-state.ts";
import { useAction } from "../../parts/action.ts";
import { Dialog } from "../../parts/dialog.tsx";
import type { ModelTabProps } from "../../parts/model-tabs.tsx";
import { ProblemNote } from "../../parts/notes.tsx";
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
  const { train, from, to, dateHint, presetsLabel, goOn, effort, efforts: names } = texts.value.versionsPage;
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
    <label>
      {label}
      <input
        required
        value={range.value[key]}
        aria-describedby="train-dates"
        onInput={({ currentTarget }) => (range.value = { ...range.value, [key]: currentTarget.value })}
      />
    </label>
  );
  return (
    <Dialog title={train} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <fieldset class="chips">
          <legend>{presetsLabel}</legend>
          {presets.map((preset) => (
            <button
              key={preset}
              type="button"
              class="chip"
              aria-pressed={range.value.from === `now-${preset}` && range.value.to === "now"}
              onClick={() => (range.value = { from: `now-${preset}`, to: "now" })}
            >
              {texts.value.ranges[preset]}
            </button>
          ))}
        </fieldset>
        <div class="two">
          {field("from", from)}
          {field("to", to)}
        </div>
        <small id="train-dates">{dateHint}</small>
        <TrainingMap model={model} range={range} />
        <Found name={name} from={range.value.from} to={range.value.to} />
        <fieldset class="choices">
          <legend>{effort}</legend>
          {(Object.keys(efforts) as Effort[]).map((key) => (
            <label key={key} class="check">
              <input
                type="radio"
                name="effort"
                checked={chosen.value === key}
                onChange={() => (chosen.value = key)}
              />
              {names[key]}
            </label>
          ))}
        </fieldset>
        {model.state.trained && (
          <label class="check">
            <input
              type="checkbox"
              checked={isContinued.value}
              onChange={({ currentTarget }) => (isContinued.value = currentTarget.checked)}
            />
            {goOn}
          </label>
        )}
        {action.problem.value && <ProblemNote problem={action.problem.value} />}
        <button type="submit" class="primary" disabled={action.isBusy.value}>
          {train}
        </button>
      </form>
    </Dialog>
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
      createResource(async (signal) => {
        const query = new URLSearchParams({
          from,
          to,
          points: String(CELLS),
          parts: "observed",
          pooled: "true",
        });
        const path = `/models/${encodeURIComponent(name)}/_series?${query}`;
        return (await request<Readonly<Record<string, ModelSeriesView>>>(path, { signal }))[name]!;
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
