// Two versions on the same range: which is better and by what, all measures in a table, expected values as lines.

import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { VersionView } from "../../../api/model.ts";
import { nameOf } from "../../lib/model-state.ts";
import { rulesOf } from "../../lib/rules.ts";
import { betterOf, qualityOf, shareWithin, type VersionSeries } from "../../lib/version-quality.ts";
import { Chips } from "../../parts/form/controls.tsx";
import type { ModelTabProps } from "../../parts/model-tabs.tsx";
import { ProblemNote } from "../../parts/notes.tsx";
import { Table } from "../../parts/table.tsx";
import { useAnswer } from "../../parts/use-answer.ts";
import { Waiting } from "../../parts/waiting.tsx";
import { readVersions } from "../../state/compare.ts";
import { moments, numbers, texts } from "../../state/preferences.ts";
import { CompareChart } from "./compare-chart.tsx";

const spans = { "1d": 86_400, "7d": 7 * 86_400, "30d": 30 * 86_400 } as const;
type Span = keyof typeof spans;
/** Difference of the shares of known values that is said. */
const MUCH = 0.1;

interface CompareProps extends Pick<ModelTabProps, "model"> {
  readonly versions: readonly [VersionView, VersionView];
}

/** Below a long list nobody would see that something has come. */
function bringIntoView(element: HTMLElement | null): void {
  if (element && element.getBoundingClientRect().top > innerHeight / 2) element.scrollIntoView();
}

export function Compare({ model, versions }: CompareProps) {
  const { title, about, evaluating } = texts.value.compare;
  const names = versions.map(({ version }) => version.name);
  const span = useSignal<Span>("7d");
  const interval = model.state.bucket_interval ?? 60;
  const { value, problem, again } = useAnswer(`${names} ${span.value}`, (signal) =>
    readVersions(nameOf(model), names, { back: spans[span.value], interval, signal }),
  );
  const isEmpty = value?.every(({ score }) => score.every((each) => each === null));
  const measures = useMemo(() => (value ? measuresOf({ model, versions }, value) : []), [value]);
  return (
    <section ref={bringIntoView} class="card versions" aria-labelledby="compare">
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
      {isEmpty && <p>{texts.value.versionsPage.nothingFound}</p>}
      {value && !isEmpty && (
        <>
          <Verdict versions={versions} names={names} measures={measures} shown={value[0]!} />
          <p class="quiet">{about(...rangeOf(value[0]!))}</p>
          <Measures names={names} measures={measures} />
          {Object.keys(value[0]!.expected).map((feature) => (
            <CompareChart
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

/** A row of the table. */
interface Measure {
  readonly label: string;
  readonly cells: readonly string[];
  /** Index of the better version; absent: alike, or neither value is better. */
  readonly better?: 0 | 1 | undefined;
}

function measuresOf({ model, versions }: CompareProps, series: Two): readonly Measure[] {
  const { rows } = texts.value.compare;
  const qualities = series.map((each) => qualityOf(each, rulesOf(model)));
  const [first, second] = versions.map(({ version }) => version);
  const row = (
    label: string,
    values: readonly (number | undefined)[],
    {
      unit,
      isJudged = true,
    }: { readonly unit?: string | undefined; readonly isJudged?: boolean | undefined } = {},
  ): Measure => ({
    label,
    // Digits of both, but not those of a difference that says nothing.
    cells: numbers.value.together(values, { unit, alike: Math.abs(values[0] ?? 0) / 200 }),
    better: isJudged ? betterOf(values) : undefined,
  });
  const byFeature = (pick: "error" | "width" | "outside", isJudged?: boolean) =>
    qualities[0]!.features.map(({ name }, i) =>
      row(
        rows[pick](name),
        qualities.map(({ features }) => features[i]![pick]),
        { unit: pick === "outside" ? "ratio" : model.units?.[name], isJudged },
      ),
    );
  const states = versions.map(({ state }) => state);
  return [
    ...byFeature("error"),
    row(
      rows.forecastError,
      states.map((state) => state.forecast_error),
    ),
    row(
      rows.loss,
      states.map(({ loss }) => loss),
      // Losses on other points say nothing of each other.
      { isJudged: first!.from === second!.from && first!.to === second!.to },
    ),
    row(
      rows.anomalies,
      qualities.map(({ anomalies }) => anomalies),
      { isJudged: false },
    ),
    ...byFeature("width", false),
    ...byFeature("outside", false),
  ];
}

interface ResultProps extends Pick<CompareProps, "versions"> {
  readonly names: readonly string[];
  readonly measures: readonly Measure[];
  readonly shown: VersionSeries;
}

/** Which version is better, and by what. */
function Verdict({ versions, names, measures, shown }: ResultProps) {
  const { better, mixed, alike, reason, known } = texts.value.compare;
  const won = measures.filter((measure) => measure.better !== undefined);
  const winners = [...new Set(won.map((measure) => measure.better!))];
  const [first, second] = versions.map(({ version }) => shareWithin(version, shown));
  const more = first! - second!;
  return (
    <>
      <h2>{winners.length === 0 ? alike : winners.length > 1 ? mixed : better(names[winners[0]!]!)}</h2>
      <ul>
        {won.map(({ label, cells, better: i = 0 }) => (
          <li key={label}>{reason(label, names[i]!, cells[i]!, cells[1 - i]!)}</li>
        ))}
      </ul>
      {Math.abs(more) > MUCH && <p class="quiet">{known(names[more > 0 ? 0 : 1]!)}</p>}
    </>
  );
}

function Measures({ names, measures }: Pick<ResultProps, "names" | "measures">) {
  const { measure, version } = texts.value.compare;
  return (
    <Table titles={[measure, ...names.map(version)]}>
      {measures.map(({ label, cells, better }) => (
        <tr key={label}>
          <th scope="row">{label}</th>
          {cells.map((cell, i) => (
            <td key={names[i]}>{i === better ? <b class="good">{cell} ✓</b> : cell}</td>
          ))}
        </tr>
      ))}
    </Table>
  );
}
