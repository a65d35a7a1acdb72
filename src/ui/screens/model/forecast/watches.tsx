// Watched bounds of a model with their last forecast; the bound of the address becomes one by a button.
import type { LiveStateView } from "../../../../api/live.ts";
import type { WatchForecast } from "../../../../core/model/watch-forecast.ts";
import type { ConstraintText } from "../../../lib/constraint.ts";
import type { ForecastRequest } from "../../../lib/forecast/forecast.ts";
import { nameOf } from "../../../lib/model-state.ts";
import { describeForecast } from "../../../lib/standing.ts";
import { useAction } from "../../../parts/action.ts";
import type { ModelTabProps } from "../../../parts/model-tabs.tsx";
import { ProblemNote } from "../../../parts/notes.tsx";
import { serverNow } from "../../../state/clock.ts";
import { isOfBound, unwatch, watch, watchesOf } from "../../../state/forecast.ts";
import { moments, numbers, texts } from "../../../state/preferences.ts";
import { may } from "../../../state/session.ts";

interface WatchesProps extends Pick<ModelTabProps, "model" | "refresh"> {
  readonly wanted: ForecastRequest;
  /** The last forecasts, of the model or of a series. */
  readonly made: LiveStateView["forecasts"];
  /** Whether the bounds are those of all series of a fleet. */
  readonly isOfAll: boolean;
}

export function Watches({ model, wanted, refresh, made = [], isOfAll }: WatchesProps) {
  const { watched, watchWhat, watchAll, watchBound } = texts.value.forecastPage;
  const action = useAction();
  const watches = watchesOf(model);
  const bound = wanted.constraint;
  const isNew = bound && may.value("admin") && !watches.some((each) => isOfBound(each, bound));
  const change = (work: () => Promise<void>) => void action.run(() => work().then(refresh));
  if (watches.length === 0 && !isNew) return null;
  return (
    <section class="card" aria-labelledby="watched">
      <h2 id="watched">{watched}</h2>
      <p class="quiet">
        {watchWhat} {isOfAll && watchAll}
      </p>
      <ul>
        {watches.map((each) => (
          <Watched
            key={JSON.stringify(each)}
            made={made}
            units={model.units}
            watch={each}
            isBusy={action.isBusy.value}
            onRemove={() => change(() => unwatch(nameOf(model), boundOf(each)))}
          />
        ))}
      </ul>
      {isNew && (
        <button
          type="button"
          disabled={action.isBusy.value}
          onClick={() => change(() => watch(nameOf(model), bound, wanted.horizon))}
        >
          {watchBound(nameOfBound(bound, model.units), wanted.horizon)}
        </button>
      )}
      {action.problem.value && <ProblemNote problem={action.problem.value} />}
    </section>
  );
}

type Units = ModelTabProps["model"]["units"];

interface WatchedProps {
  readonly units: Units;
  readonly made: NonNullable<WatchesProps["made"]>;
  readonly watch: WatchForecast;
  readonly isBusy: boolean;
  readonly onRemove: () => void;
}

function Watched({ made: all, units, watch, isBusy, onRemove }: WatchedProps) {
  const { within, unwatch: remove, unwatchBound } = texts.value.forecastPage;
  const bound = boundOf(watch);
  const made = all.find(
    ({ feature, type, threshold }) =>
      feature === bound.feature && type === bound.type && threshold === bound.threshold,
  );
  const words = {
    texts: texts.value,
    moments: moments.value,
    numbers: numbers.value,
    units,
    now: serverNow(),
  };
  const name = nameOfBound(bound, units);
  return (
    <li class="row">
      <span>{within(name, spanText(watch.within))}</span>
      {made &&
        describeForecast(made, words).map(({ text, isActive }) => (
          <small key={text} class={isActive ? "bad" : "quiet"}>
            {text}
          </small>
        ))}
      {may.value("admin") && (
        <button type="button" disabled={isBusy} aria-label={unwatchBound(name)} onClick={onRemove}>
          {remove}
        </button>
      )}
    </li>
  );
}

/** The server refuses a watch without a bound. */
export function boundOf({ feature, above, below }: WatchForecast): ConstraintText {
  return above === undefined
    ? { feature, type: "low", threshold: below! }
    : { feature, type: "high", threshold: above };
}

function nameOfBound({ feature, type, threshold }: ConstraintText, units: Units): string {
  const { above, below } = texts.value.forecastPage;
  return (type === "high" ? above : below)(feature, numbers.value.one(threshold, units?.[feature]));
}

/** A number is seconds. */
const spanText = (span: string | number) => (typeof span === "number" ? `${span}s` : span);
