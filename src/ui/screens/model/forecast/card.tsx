// Charts of a forecast, one per feature, with a line of values below the pointer and a table of the same values.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { drawForecast } from "../../../charts/forecast-chart.ts";
import { ValuesTable } from "../../../charts/values-table.tsx";
import type { ConstraintText } from "../../../lib/constraint.ts";
import type { ForecastColumns, ForecastData, ForecastRequest } from "../../../lib/forecast/forecast.ts";
import { formatInstant } from "../../../lib/plot.ts";
import { language, moments, numbers, texts, theme } from "../../../state/preferences.ts";

const HEIGHT = 320;

type Units = Readonly<Record<string, string>>;

interface CardProps {
  readonly data: ForecastData;
  /** By feature. */
  readonly units: Units;
  readonly wanted: ForecastRequest;
  readonly name: string;
  /** Watched ones, which are drawn beside that of the address. */
  readonly watched: readonly ConstraintText[];
}

export function ForecastCard({ data, units, wanted, name, watched }: CardProps) {
  const index = useSignal<number | undefined>(undefined);
  const isTable = useSignal(false);
  const { table, observed, forecastPage } = texts.value;
  const bounds = wanted.constraint ? [...watched, wanted.constraint] : watched;
  return (
    <section class="card" aria-label={forecastPage.title}>
      <ul class="legend">
        <li class="of-observed">{observed}</li>
        <li class="of-forecast">{forecastPage.title}</li>
        <li class="of-band">{forecastPage.bandsOf(wanted.level)}</li>
        {wanted.withPast && <li class="of-past">{forecastPage.past}</li>}
      </ul>
      <Readout data={data} units={units} index={index.value} />
      {Object.entries(data.features).map(([feature, columns]) => (
        <Plot
          key={feature}
          title={units[feature] ? `${feature}, ${units[feature]}` : feature}
          label={forecastPage.chartOf(name, feature, summaryOf(data, columns, units[feature]))}
          data={data}
          unit={units[feature]}
          columns={columns}
          thresholds={bounds.filter((bound) => bound.feature === feature).map(({ threshold }) => threshold)}
          onCursor={(i) => (index.value = i)}
        />
      ))}
      <details onToggle={({ currentTarget }) => (isTable.value = currentTarget.open)}>
        <summary>{table}</summary>
        {isTable.value && <Values data={data} units={units} />}
      </details>
    </section>
  );
}

/** `from … to …, 20 … 60`. */
function summaryOf(
  { times, start }: ForecastData,
  { expected }: ForecastColumns,
  unit: string | undefined,
): string {
  const values = expected.filter((value) => value !== null);
  const range = numbers.value.together([Math.min(...values), Math.max(...values)], { unit }).join(" … ");
  return texts.value.forecastPage.summary(
    moments.value.whole(start),
    moments.value.whole(times.at(-1)!),
    range,
  );
}

interface PlotProps {
  readonly title: string;
  readonly label: string;
  readonly data: ForecastData;
  readonly columns: ForecastColumns;
  readonly unit: string | undefined;
  readonly thresholds: readonly number[];
  readonly onCursor: (index: number | undefined) => void;
}

function Plot({ title, label, data, columns, unit, thresholds, onCursor }: PlotProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const target = element.current!;
    const chart = drawForecast(target, data, columns, {
      height: HEIGHT,
      formatTick: moments.value.tick,
      language: language.value,
      unit,
      offset: moments.value.offset,
      thresholds,
      now: texts.value.forecastPage.now,
      onCursor,
    });
    return chart.destroy;
  }, [data, columns, thresholds.join(), theme.value, language.value, moments.value, unit]);
  return (
    <figure>
      <p class="plot-title" aria-hidden="true">
        {title}
      </p>
      <div class="plot" ref={element} role="img" aria-label={label} />
    </figure>
  );
}

/** Values below the pointer, or the first of the forecast. */
interface Shown {
  readonly data: ForecastData;
  readonly units: Units;
}

function Readout({ data, units, index }: Shown & { index: number | undefined }) {
  const { observed, expected, band } = texts.value;
  const at =
    index ??
    Math.max(
      0,
      data.times.findIndex((time) => time >= data.start),
    );
  const time = data.times[at];
  return (
    <p class="readout" aria-live="off">
      {time !== undefined && <strong>{moments.value.whole(time)}</strong>}
      {Object.entries(data.features).map(([name, columns]) => {
        const row = [columns.observed, columns.expected, columns.lower, columns.upper].map((one) => one[at]);
        const [seen, usual, from, to] = formatInstant(numbers.value, row, units[name]);
        return (
          <span key={name}>
            {name} {columns.observed[at] !== null && `${observed} ${seen} `}
            {columns.expected[at] !== null && `${expected} ${usual}, ${band} ${from} … ${to}`}
          </span>
        );
      })}
    </p>
  );
}

function Values({ data: { times, features }, units }: Shown) {
  const { observed, expected, forecastPage } = texts.value;
  const titles = { observed, expected, lower: forecastPage.from, upper: forecastPage.to };
  const columns = Object.entries(features).flatMap(([name, own]) =>
    (Object.keys(titles) as (keyof typeof titles)[]).map(
      (key) =>
        [`${name}, ${titles[key]}`, (i: number) => numbers.value.one(own[key][i], units[name])] as const,
    ),
  );
  return <ValuesTable times={times} columns={columns} />;
}
