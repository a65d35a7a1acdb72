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
import { Check, Chips, Select } from "../../../parts/form/controls.tsx";
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
      <Chips
        legend={horizon}
        values={Object.keys(horizons) as HorizonName[]}
        nameOf={(name) => horizonNames[name]}
        isPressed={(name) => wanted.horizon === horizons[name]}
        onPick={(name) => setParams({ to: horizons[name] })}
      >
        <OwnHorizon value={wanted.horizon} />
      </Chips>
      <Select
        label={level}
        value={String(wanted.level)}
        options={levels.map((percent) => [String(percent), band(percent)] as const)}
        onChange={(level) => setParams({ level })}
      />
      <Check
        label={past}
        isOn={wanted.withPast}
        onChange={(isOn) => setParams({ past: isOn ? "1" : undefined })}
      />
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
