// Two versions side by side on the same range: error, band and anomalies as a table, expected values as lines.

import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { VersionView } from "../../../api/model.ts";
import { nameOf } from "../../lib/model-state.ts";
import { areaPath, extentOf, linePath, scale } from "../../lib/plot.ts";
import { rulesOf } from "../../lib/rules.ts";
import { qualityOf, thin, type VersionSeries } from "../../lib/version-quality.ts";
import { Chips } from "../../parts/form/controls.tsx";
import type { ModelTabProps } from "../../parts/model-tabs.tsx";
import { ProblemNote } from "../../parts/notes.tsx";
import { TimeAxis } from "../../parts/pictures/time-axis.tsx";
import { TableHead } from "../../parts/table.tsx";
import { useAnswer } from "../../parts/use-answer.ts";
import { Waiting } from "../../parts/waiting.tsx";
import { readVersions } from "../../state/compare.ts";
import { moments, numbers, texts } from "../../state/preferences.ts";

const spans = { "1d": 86_400, "7d": 7 * 86_400, "30d": 30 * 86_400 } as const;
type Span = keyof typeof spans;
const WIDTH = 1000;
const HEIGHT = 200;
/** Points of a line. */
const POINTS = 500;

interface CompareProps extends Pick<ModelTabProps, "model"> {
  readonly versions: readonly [VersionView, VersionView];
}

export function Compare({ model, versions }: CompareProps) {
  const { title, about, evaluating } = texts.value.compare;
  const names = versions.map(({ version }) => version.name);
  const span = useSignal<Span>("7d");
  const interval = model.state.bucket_interval ?? 60;
  const { value, problem, again } = useAnswer(`${names} ${span.value}`, (signal) =>
    readVersions(nameOf(model), names, { back: spans[span.value], interval, signal }),
  );
  return (
    <section class="card" aria-labelledby="compare">
      <h2 id="compare">{title(names[0]!, names[1]!)}</h2>
      <Chips
        legend={texts.value.range}
        values={Object.keys(spans) as Span[]}
        nameOf={(key) => texts.value.ranges[key]}
        isPressed={(key) => span.value === key}
        onPick={(key) => (span.value = key)}
      />
      {problem && <ProblemNote problem={problem} again={again} />}
      {!value && !problem && <Waiting reason={evaluating} />}
      {value && (
        <>
          <p class="quiet">{about(...rangeOf(value[0]!))}</p>
          <Qualities model={model} versions={versions} series={value} />
          {Object.keys(value[0]!.expected).map((feature) => (
            <Lines
              key={feature}
              feature={feature}
              unit={model.units?.[feature]}
              names={names}
              series={value}
            />
          ))}
        </>
      )}
    </section>
  );
}

function rangeOf({ from, step, score }: VersionSeries): [string, string] {
  const { moment } = moments.value;
  return [moment(from, 0), moment(from + step * score.length, 0)];
}

type Two = readonly VersionSeries[];

function Qualities({ model, versions, series }: CompareProps & { series: Two }) {
  const { rows, measure } = texts.value.compare;
  const qualities = useMemo(() => series.map((each) => qualityOf(each, rulesOf(model))), [series]);
  const number = numbers.value.one;
  const { moment } = moments.value;
  const features = qualities[0]!.features.map(({ name }) => name);
  const of = (name: string, pick: "error" | "width") =>
    qualities.map(({ features: list }) =>
      number(list.find((one) => one.name === name)?.[pick], model.units?.[name]),
    );
  const shares = (name: string) =>
    qualities.map(({ features: list }) => {
      return number(list.find((one) => one.name === name)?.outside, "ratio");
    });
  const table: readonly (readonly [string, readonly string[]])[] = [
    [rows.anomalies, qualities.map(({ anomalies }) => String(anomalies))],
    ...features.flatMap((name) => [
      [rows.error(name), of(name, "error")] as const,
      [rows.width(name), of(name, "width")] as const,
      [rows.outside(name), shares(name)] as const,
    ]),
    [rows.loss, versions.map(({ state }) => number(state.loss))],
    [rows.forecastError, versions.map(({ state }) => number(state.forecast_error))],
    [
      rows.range,
      versions.map(({ version: { from, to } }) =>
        texts.value.versionsPage.range(moment(from, 0), moment(to, 0)),
      ),
    ],
  ];
  return (
    <div class="sideways">
      <table>
        <TableHead titles={[measure, ...versions.map(({ version }) => version.name)]} />
        <tbody>
          {table.map(([label, cells]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {cells.map((cell, i) => (
                <td key={versions[i]!.version.name}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface LinesProps {
  readonly feature: string;
  readonly unit: string | undefined;
  readonly names: readonly string[];
  readonly series: Two;
}

function Lines({ feature, unit, names, series }: LinesProps) {
  const { chart, legend } = texts.value.compare;
  const paths = useMemo(() => pathsOf(feature, series), [feature, series]);
  const { from, step, score } = series[0]!;
  const [least, greatest] = numbers.value.together([paths.min, paths.max], { unit });
  return (
    <figure class="compare">
      <div class="value-axis" aria-hidden="true">
        <span>{greatest}</span>
        <span>{least}</span>
      </div>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={chart(feature, names[0]!, names[1]!)}
      >
        {paths.versions.map(({ band }, i) => (
          <path key={names[i]} class={`band of-${i}`} d={band} />
        ))}
        <path class="observed" d={paths.observed} />
        {paths.versions.map(({ line }, i) => (
          <path key={names[i]} class={`line of-${i}`} d={line} />
        ))}
      </svg>
      <TimeAxis from={from} to={from + step * score.length} />
      <ul class="legend">
        <li class="of-observed">{texts.value.observed}</li>
        {names.map((name, i) => (
          <li key={name} class={`of-version-${i}`}>
            {legend(name)}
          </li>
        ))}
      </ul>
    </figure>
  );
}

function pathsOf(feature: string, series: Two) {
  const observed = thin(series[0]!.observed[feature] ?? [], POINTS);
  const columns = series.map(({ expected }) => {
    const { mean = [], lower = [], upper = [] } = expected[feature] ?? {};
    return { mean: thin(mean, POINTS), lower: thin(lower, POINTS), upper: thin(upper, POINTS) };
  });
  const { min, max } = extentOf([observed, ...columns.flatMap(({ lower, upper }) => [lower, upper])]);
  const x = scale([0, Math.max(1, observed.length - 1)], [0, WIDTH]);
  const y = scale([min, max], [HEIGHT, 0]);
  return {
    min,
    max,
    observed: linePath(observed, x, y),
    versions: columns.map(({ mean, lower, upper }) => ({
      band: areaPath(lower, upper, x, y),
      line: linePath(mean, x, y),
    })),
  };
}
