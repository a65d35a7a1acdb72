// Sliders of the rules of detection, each with its meaning in words.
import { useId } from "preact/hooks";
import type { AnomalyRules } from "../../../../core/anomaly/state.ts";
import { formatSpan, rarityOfScore } from "../../../lib/format.ts";
import { useTyped } from "../../../parts/use-typed.ts";
import { language, texts } from "../../../state/preferences.ts";

const MINUTE_MS = 60_000;
/** Longest grace period of the slider, minutes: a day. */
const MAX_GRACE = 1440;
const MAX_DURATION = 30;

interface SlidersProps {
  readonly rules: AnomalyRules;
  readonly onChange: (rules: AnomalyRules) => void;
}

export function Sliders({ rules, onChange }: SlidersProps) {
  const own = texts.value.tune;
  const { max, min, minDuration, gracePeriodMs, notifyAfter } = rules;
  const rarity = (score: number) => rarityOfScore(score, language.value);
  const change = (part: Partial<AnomalyRules>) => onChange({ ...rules, ...part });
  return (
    <section class="card sliders">
      <Slider
        label={own.start}
        hint={own.startHint(rarity(max))}
        value={max}
        onChange={(value) => change({ max: value, min: Math.min(min, value) })}
      />
      <Slider
        label={own.end}
        hint={own.startHint(rarity(min))}
        value={min}
        onChange={(value) => change({ min: value, max: Math.max(max, value) })}
      />
      {notifyAfter ? (
        <p class="quiet">{own.notifyAfter(notifyAfter.n, notifyAfter.of)}</p>
      ) : (
        <Slider
          label={own.intervals}
          hint={own.intervalsHint(minDuration)}
          value={minDuration}
          range={{ min: 1, max: Math.max(MAX_DURATION, minDuration), step: 1 }}
          onChange={(value) => change({ minDuration: value })}
        />
      )}
      <Slider
        label={own.grace}
        hint={gracePeriodMs === 0 ? own.noGrace : own.graceHint(formatSpan(gracePeriodMs))}
        value={gracePeriodMs / MINUTE_MS}
        range={{ min: 0, max: Math.max(MAX_GRACE, gracePeriodMs / MINUTE_MS), step: 5 }}
        onChange={(value) => change({ gracePeriodMs: value * MINUTE_MS })}
      />
    </section>
  );
}

interface SliderProps {
  readonly label: string;
  readonly hint: string;
  readonly value: number;
  /** Default: a score. */
  readonly range?: { readonly min: number; readonly max: number; readonly step: number };
  readonly onChange: (value: number) => void;
}

/** A slider and a field of the same value. */
function Slider({ label, hint, value, range = { min: 1, max: 100, step: 0.5 }, onChange }: SliderProps) {
  const id = useId();
  const typed = useTyped(String(value));
  const read = (text: string) => {
    const number = Number(text);
    if (text !== "" && number >= range.min && number <= range.max) onChange(number);
  };
  return (
    <div class="slider">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="range"
        {...range}
        value={value}
        aria-describedby={`${id}-hint`}
        onInput={({ currentTarget }) => read(currentTarget.value)}
      />
      <input
        type="number"
        {...range}
        aria-label={label}
        value={typed.value}
        onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
        onChange={({ currentTarget }) => read(currentTarget.value)}
      />
      <small id={`${id}-hint`}>{hint}</small>
    </div>
  );
}
