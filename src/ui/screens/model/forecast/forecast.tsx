// Forecast of a model: observed before now, expected after it with two bands; saved to a bucket or scheduled.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ForecastView } from "../../../../api/prediction.ts";
import { Problem } from "../../../api/client.ts";
import { titleOfSeries } from "../../../lib/fleet.ts";
import { type ForecastRequest, horizons, readForecastRequest } from "../../../lib/forecast/forecast.ts";
import { describeForecasters, describeSeasons } from "../../../lib/forecast/forecasters.ts";
import { nameOf } from "../../../lib/model-state.ts";
import { buildRoute } from "../../../lib/route.ts";
import type { ModelTabProps } from "../../../parts/model-tabs.tsx";
import { Empty, Loading, ProblemNote } from "../../../parts/notes.tsx";
import { type Forecasted, readForecast, watchesOf } from "../../../state/forecast.ts";
import { moments, numbers, texts } from "../../../state/preferences.ts";
import { route } from "../../../state/route.ts";
import { may } from "../../../state/session.ts";
import { ForecastBar } from "./bar.tsx";
import { ForecastCard } from "./card.tsx";
import { SaveForecast, ScheduleForecast } from "./save.tsx";
import { boundOf, Watches } from "./watches.tsx";

export function ModelForecast({ model, refresh, series, found }: ModelTabProps) {
  const data = useSignal<Forecasted | undefined>(undefined);
  const problem = useSignal<Problem | undefined>(undefined);
  const attempt = useSignal(0);
  const wanted = readForecastRequest(route.value.params, horizonOf(model.settings.forecast, model.state));
  const { trained } = model.state;
  useEffect(() => {
    if (!trained) return undefined;
    const ending = new AbortController();
    problem.value = undefined;
    readForecast(model, wanted, { signal: ending.signal, series }).then(
      (read) => (data.value = read),
      (error) => {
        if (ending.signal.aborted) return;
        if (!(error instanceof Problem)) throw error;
        problem.value = error;
        data.value = undefined;
      },
    );
    return () => ending.abort();
  }, [nameOf(model), series, trained, model.state.points, JSON.stringify(wanted), attempt.value]);
  if (!trained) return <Untrained name={nameOf(model)} />;
  return (
    <>
      <ForecastBar
        wanted={wanted}
        features={featureNames(model.settings.features)}
        units={model.units ?? {}}
      />
      {problem.value && <ProblemNote problem={problem.value} again={() => (attempt.value += 1)} />}
      {!data.value && !problem.value && <Loading />}
      {data.value && (
        <>
          <Outcome data={data.value} units={model.units} />
          <ForecastCard
            data={data.value}
            units={model.units ?? {}}
            wanted={wanted}
            name={series === undefined ? nameOf(model) : `${nameOf(model)}, ${titleOfSeries(series)}`}
            watched={watchesOf(model).map(boundOf)}
          />
          <Watches
            model={model}
            wanted={wanted}
            refresh={refresh}
            made={(series === undefined ? model.live : found)?.forecasts}
            isOfAll={series !== undefined}
          />
          {series === undefined && (
            <>
              <MadeBy model={model} />
              <Actions model={model} wanted={wanted} />
            </>
          )}
        </>
      )}
    </>
  );
}

function featureNames(features: unknown): string[] {
  return (features as readonly { readonly name: string }[]).map(({ name }) => name);
}

/** The model's own horizon, as a duration; a day without one. */
function horizonOf(
  forecast: unknown,
  { bucket_interval: interval }: ModelTabProps["model"]["state"],
): string {
  return typeof forecast === "number" && interval ? `${forecast * interval}s` : horizons.day;
}

function Untrained({ name }: { name: string }) {
  const { untrained, toVersions } = texts.value.forecastPage;
  return (
    <Empty>
      <p>{untrained}</p>
      <a href={buildRoute(["models", name, "versions"])}>{toVersions}</a>
    </Empty>
  );
}

interface OutcomeProps {
  readonly data: Forecasted;
  readonly units: ModelTabProps["model"]["units"];
}

/** When the constraint is broken first, with the range by the band. */
function Outcome({ data: { constraint }, units }: OutcomeProps) {
  if (!constraint) return null;
  const { above, below, firstOn, between, notBefore, never } = texts.value.forecastPage;
  const { feature, type, threshold, first_date, first_date_range } = constraint;
  const what = (type === "high" ? above : below)(feature, numbers.value.one(threshold, units?.[feature]));
  const range = rangeText(first_date_range, { between, notBefore });
  return (
    <p class="note" role="status">
      <strong>{first_date ? firstOn(what, momentOf(first_date)) : never(what)}</strong> {range}
    </p>
  );
}

function rangeText(
  { earliest, latest }: NonNullable<ForecastView["constraint"]>["first_date_range"],
  { between, notBefore }: Pick<typeof texts.value.forecastPage, "between" | "notBefore">,
): string {
  // A limit that is passed at once has no range.
  if (!earliest || earliest === latest) return "";
  return latest ? between(momentOf(earliest), momentOf(latest)) : notBefore(momentOf(earliest));
}

function momentOf(date: string): string {
  return moments.value.moment(Date.parse(date) / 1000, 0);
}

function MadeBy({ model: { state } }: Pick<ModelTabProps, "model">) {
  const { madeBy, error, seasons, ...own } = texts.value.forecastPage;
  const { forecast_error, forecast_seasons } = state;
  const forecaster = describeForecasters(state, own, (share) =>
    numbers.value.one(Math.round(100 * share), "%"),
  );
  return (
    <p class="quiet">
      {forecast_error !== undefined && error(numbers.value.fixed(forecast_error, 2))}{" "}
      {forecast_seasons && forecast_seasons !== "none" && seasons(describeSeasons(forecast_seasons, own))}{" "}
      {forecaster && madeBy(forecaster)}
    </p>
  );
}

function Actions({ model, wanted }: Pick<ModelTabProps, "model"> & { wanted: ForecastRequest }) {
  const open = useSignal<"save" | "schedule" | undefined>(undefined);
  const { save, schedule } = texts.value.forecastPage;
  const close = () => (open.value = undefined);
  return (
    <div class="actions">
      {may.value("run") && (
        <button type="button" onClick={() => (open.value = "save")}>
          {save}
        </button>
      )}
      {may.value("admin") && (
        <button type="button" onClick={() => (open.value = "schedule")}>
          {schedule}
        </button>
      )}
      {open.value === "save" && <SaveForecast model={model} wanted={wanted} onClose={close} />}
      {open.value === "schedule" && <ScheduleForecast model={model} wanted={wanted} onClose={close} />}
    </div>
  );
}
