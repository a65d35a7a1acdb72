// Horizon, confidence and constraint of a forecast, kept in the address.
import { useSignal } from "@preact/signals";
import { type ConstraintText, writeConstraint } from "../../../lib/constraint.ts";
import {
  type ForecastRequest,
  type HorizonName,
  horizons,
  isHorizon,
  levels,
} from "../../../lib/forecast/forecast.ts";
import { useTyped } from "../../../parts/use-typed.ts";
import { texts } from "../../../state/preferences.ts";
import { setParams } from "../../../state/route.ts";

type Units = Readonly<Record<string, string>>;

interface BarProps {
  readonly wanted: ForecastRequest;
  readonly features: readonly string[];
  /** By feature. */
  readonly units: Units;
}

export function ForecastBar({ wanted, features, units }: BarProps) {
  const { horizon, horizonNames, level, band, past } = texts.value.forecastPage;
  return (
    <section class="card bar-of-fields" aria-label={horizon}>
      <fieldset class="chips">
        <legend class="hidden">{horizon}</legend>
        {(Object.keys(horizons) as HorizonName[]).map((name) => (
          <button
            key={name}
            type="button"
            class="chip"
            aria-pressed={wanted.horizon === horizons[name]}
            onClick={() => setParams({ to: horizons[name] })}
          >
            {horizonNames[name]}
          </button>
        ))}
        <OwnHorizon value={wanted.horizon} />
      </fieldset>
      <label>
        {level}{" "}
        <select
          value={String(wanted.level)}
          onChange={({ currentTarget }) => setParams({ level: currentTarget.value })}
        >
          {levels.map((percent) => (
            <option key={percent} value={String(percent)}>
              {band(percent)}
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={wanted.withPast}
          onChange={({ currentTarget }) => setParams({ past: currentTarget.checked ? "1" : undefined })}
        />
        {past}
      </label>
      <ConstraintFields constraint={wanted.constraint} features={features} units={units} />
    </section>
  );
}

function OwnHorizon({ value }: { value: string }) {
  const { ownHorizon, badHorizon } = texts.value.forecastPage;
  const isOwn = !Object.values<string>(horizons).includes(value);
  const typed = useTyped(isOwn ? value : "");
  return (
    <input
      class="short"
      aria-label={ownHorizon}
      title={ownHorizon}
      placeholder="36h"
      value={typed.value}
      onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
      onChange={({ currentTarget }) => {
        const text = currentTarget.value.trim();
        const isGood = text === "" || isHorizon(text);
        currentTarget.setCustomValidity(isGood ? "" : badHorizon);
        if (isGood) setParams({ to: text || undefined });
        else currentTarget.reportValidity();
      }}
    />
  );
}

interface ConstraintProps extends Pick<BarProps, "units"> {
  readonly constraint: ConstraintText | undefined;
  readonly features: readonly string[];
}

/** `load above 30000`: applied when the number changes. */
function ConstraintFields({ constraint, features, units }: ConstraintProps) {
  const { ask, feature, direction, directions, limit } = texts.value.forecastPage;
  const draft = useSignal({ feature: features[0]!, type: "high" as "high" | "low", ...constraint });
  const typed = useTyped(String(constraint?.threshold ?? ""));
  const apply = (change: Partial<ConstraintText>) => {
    draft.value = { ...draft.value, ...change };
    const { feature, type, threshold } = draft.value;
    const isGiven = threshold !== undefined && Number.isFinite(threshold);
    setParams({ constraint: isGiven ? writeConstraint({ feature, type, threshold }) : undefined });
  };
  return (
    <fieldset class="sentence">
      <legend class="hidden">{ask}</legend>
      <span aria-hidden="true">{ask}</span>
      {features.length > 1 && (
        <select
          aria-label={feature}
          value={draft.value.feature}
          onChange={({ currentTarget }) => apply({ feature: currentTarget.value })}
        >
          {features.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
      <select
        aria-label={direction}
        value={draft.value.type}
        onChange={({ currentTarget }) => apply({ type: currentTarget.value as "high" | "low" })}
      >
        <option value="high">{directions.high}</option>
        <option value="low">{directions.low}</option>
      </select>
      <input
        type="number"
        step="any"
        class="short"
        aria-label={limit}
        value={typed.value}
        onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
        onChange={({ currentTarget }) => apply({ threshold: currentTarget.valueAsNumber })}
      />
      <span class="quiet">{units[draft.value.feature]}</span>
    </fieldset>
  );
}
