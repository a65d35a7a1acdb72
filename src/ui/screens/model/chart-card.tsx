// Charts of a model: one per feature and the scores, with a line of values below the pointer and a table.
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { GestureOptions } from "../../charts/gestures.ts";
import { readChartColors } from "../../charts/marks.ts";
import {
  type ChartOptions,
  type DrawnFeature,
  type DrawnScores,
  drawFeature,
  drawScores,
  type ModelChart,
} from "../../charts/model-chart.ts";
import { ValuesTable } from "../../charts/values-table.tsx";
import { changesAt } from "../../lib/changes.ts";
import { formatInstant } from "../../lib/plot.ts";
import type { Range } from "../../lib/range.ts";
import { describeScore } from "../../parts/marks.tsx";
import { Empty } from "../../parts/notes.tsx";
import type { ChartData, FeatureColumns } from "../../state/chart/series.ts";
import { language, moments, numbers, texts, theme } from "../../state/preferences.ts";

const FEATURE_HEIGHT = 320;
const SCORE_HEIGHT = 110;

type Column = readonly (number | null)[];
type Units = Readonly<Record<string, string>>;

interface CardProps {
  readonly data: ChartData;
  /** By feature. */
  readonly units: Units;
  /** The model, and of a fleet its series. */
  readonly subject: string;
  readonly isTrained: boolean;
  readonly chosen: string | undefined;
  /** The range that is being read; absent: that of the data. */
  readonly pending: Range | undefined;
  /** A stretch was selected by dragging. */
  readonly onRange: (range: Range) => void;
  /** Whether stretches are selected to label them. */
  readonly isSelecting: boolean;
  /** Another range was chosen by a gesture. */
  readonly onView: GestureOptions["onView"];
  /** Whether missing scores are being evaluated. */
  readonly isFilling: boolean;
  /** Saves all cells as a file. */
  readonly onSave: () => void;
}

export function ChartCard(props: CardProps) {
  const { data, units, subject, isTrained, chosen, pending, isFilling, onSave, ...drag } = props;
  const { noPoints, tooLongForScores, untrained, table, chart: own } = texts.value;
  const index = useSignal<number | undefined>(undefined);
  const isTable = useSignal(false);
  const names = Object.keys(data.features);
  const isEmpty = names.every((name) => data.features[name]!.mean.every((value) => value === null));
  if (isEmpty)
    return (
      <Empty>
        <p>{noPoints}</p>
      </Empty>
    );
  return (
    <section class="card">
      {names.map((name) => (
        <Feature
          key={name}
          name={name}
          data={data}
          unit={units[name]}
          subject={subject}
          chosen={chosen}
          pending={pending}
          {...drag}
          onCursor={(i) => (index.value = i)}
        />
      ))}
      {data.score && (
        <Scores data={data} chosen={chosen} pending={pending} {...drag} onCursor={(i) => (index.value = i)} />
      )}
      <Legend data={data} />
      <p class="quiet" role="status">
        {isFilling ? own.loadingScores : ""}
      </p>
      <Readout data={data} units={units} index={index.value} />
      {!isTrained && <p class="quiet">{untrained}</p>}
      {isTrained && data.isFolded && hasFewScores(data) && <p class="quiet">{tooLongForScores}</p>}
      <details onToggle={({ currentTarget }) => (isTable.value = currentTarget.open)}>
        <summary>{table}</summary>
        {isTable.value && <Values data={data} units={units} />}
        {isTable.value && (
          <button type="button" onClick={onSave}>
            {own.save}
          </button>
        )}
      </details>
    </section>
  );
}

/** Whether most observed cells have no score. */
function hasFewScores({ features, score = [] }: ChartData): boolean {
  const count = (column: readonly (number | null)[]) => column.filter((value) => value !== null).length;
  const observed = Math.max(...Object.values(features).map(({ mean }) => count(mean)));
  return 2 * count(score) < observed;
}

/** What the lines and areas are. */
function Legend({ data: { features, anomalies, changes } }: Pick<CardProps, "data">) {
  const { observed, expected, band, chart: own } = texts.value;
  const all = Object.values(features);
  const isFolded = all.some(({ min, max }) => min.some((value, i) => value !== max[i]));
  const entries = [
    ["observed", observed],
    ...(isFolded ? [["extremes", own.extremes]] : []),
    ...(all.some((columns) => columns.expected)
      ? [["expected", expected] as const, ["normal", band] as const]
      : []),
    ...(anomalies.length > 0 ? [["odd", own.anomaly] as const] : []),
    ...(changes.length > 0 ? [["change", own.change] as const] : []),
  ] as const;
  return (
    <ul class="legend">
      {entries.map(([kind, name]) => (
        <li key={kind} class={`of-${kind}`}>
          {name}
        </li>
      ))}
    </ul>
  );
}

type PlotProps = Omit<CardProps, "subject" | "isTrained" | "units" | "isFilling" | "onSave"> & {
  readonly onCursor: (index: number | undefined) => void;
};

interface FeatureProps extends PlotProps {
  readonly name: string;
  readonly subject: string;
  readonly unit: string | undefined;
}

function Feature({ name, data, subject, ...plot }: FeatureProps) {
  const { chartOf, chartSummary } = texts.value;
  const { whole } = moments.value;
  const [first = 0, last = 0] = [data.times[0], data.times.at(-1)];
  const label = `${chartOf(subject, name)}. ${chartSummary(data.anomalies.length, whole(first), whole(last))}`;
  const columns = data.features[name]!;
  const title = plot.unit ? `${name}, ${plot.unit}` : name;
  const tip = (at: number) => [
    ...describeCell(columns, at, plot.unit),
    ...new Set(changesAt(data.times[at]!, data).map(({ title }) => title)),
  ];
  return <Plot {...plot} {...{ label, title, tip, data, columns }} height={FEATURE_HEIGHT} />;
}

/** Lines of a tooltip: observed, expected and normal range of a cell. */
function describeCell(columns: FeatureColumns, at: number, unit: string | undefined): readonly string[] {
  const { observed, expected, band } = texts.value;
  const { mean, min, max, expected: means, lower, upper } = columns;
  const row = [mean, min, max, means, lower, upper].map((column) => column?.[at]);
  const [seen, least, most, usual, from, to] = formatInstant(numbers.value, row, unit);
  const isFolded = min[at] !== max[at];
  return [
    `${observed} ${seen}${isFolded ? ` (${least} … ${most})` : ""}`,
    ...(means?.[at] == null ? [] : [`${expected} ${usual}`, `${band} ${from} … ${to}`]),
  ];
}

function Scores(props: PlotProps) {
  const { score, chart: own } = texts.value;
  const tip = (at: number) => {
    const value = props.data.score?.[at];
    return typeof value === "number" ? [`${score} ${describeScore(value)}`] : [];
  };
  return <Plot label={score} title={own.scoreTitle} tip={tip} height={SCORE_HEIGHT} {...props} />;
}

interface CanvasProps extends PlotProps {
  readonly label: string;
  /** Above the plot. */
  readonly title: string;
  /** What is said of the cell below the pointer. */
  readonly tip: (at: number) => readonly string[];
  readonly height: number;
  /** Absent: the scores. */
  readonly columns?: FeatureColumns;
  readonly unit?: string | undefined;
}

interface Pointed {
  readonly at: number;
  readonly px: number;
}

function Plot(props: CanvasProps) {
  const { label, title, tip, data } = props;
  const element = useRef<HTMLDivElement>(null);
  const pointed = useSignal<Pointed | undefined>(undefined);
  useCanvas(props, element, pointed);
  const { at, px } = pointed.value ?? {};
  return (
    <figure class="titled">
      <p class="plot-title" aria-hidden="true">
        {title}
      </p>
      <div class="plot" ref={element} role="img" aria-label={label} />
      {at !== undefined && data.times[at] !== undefined && (
        <Tip
          px={px!}
          width={element.current?.clientWidth ?? 0}
          lines={[moments.value.whole(data.times[at]!), ...tip(at)]}
        />
      )}
      <figcaption class="hidden">{label}</figcaption>
    </figure>
  );
}

/** Draws into the element, and follows the data and the pointer. */
function useCanvas(
  { height, data, columns, unit, chosen, pending, onCursor, ...drag }: CanvasProps,
  element: { readonly current: HTMLDivElement | null },
  pointed: { value: Pointed | undefined },
): void {
  const chart = useRef<Pick<ModelChart<DrawnFeature & DrawnScores>, "update" | "show"> | undefined>(
    undefined,
  );
  const latest = { data, columns: columns!, chosen, ...drag };
  const current = useRef(latest);
  current.current = latest;
  // Before the frame: values of one range are never drawn with the scale of another.
  useLayoutEffect(() => {
    const target = element.current!;
    const options: ChartOptions = {
      height,
      colors: readChartColors(target),
      formatTick: moments.value.tick,
      language: language.value,
      unit,
      offset: moments.value.offset,
      onRange: (range) => current.current.onRange(range),
      gestures: {
        isSelecting: () => current.current.isSelecting,
        onView: (range) => current.current.onView(range),
      },
      onCursor: (at, px = 0) => {
        pointed.value = at === undefined ? undefined : { at, px };
        onCursor(at);
      },
    };
    const draw = columns ? drawFeature : drawScores;
    const made = draw(target, current.current, options);
    chart.current = made;
    return () => {
      chart.current = undefined;
      made.destroy();
    };
  }, [theme.value, language.value, moments.value, unit]);
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    if (!isFirst.current) chart.current?.update(current.current);
    isFirst.current = false;
  }, [data, columns, chosen]);
  useLayoutEffect(() => {
    if (pending) chart.current?.show(pending);
  }, [pending?.from, pending?.to]);
}

/** CSS pixels between the pointer and its tooltip. */
const TIP_GAP = 12;

/** Beside the pointer, on the side with more room; readers of the screen have the line of values below. */
function Tip({ px, width, lines }: { px: number; width: number; lines: readonly string[] }) {
  const side = px > width / 2 ? { right: `${width - px + TIP_GAP}px` } : { left: `${px + TIP_GAP}px` };
  return (
    <div class="tip" style={side} aria-hidden="true">
      {lines.map((line) => (
        <div key={line}>{line}</div>
      ))}
    </div>
  );
}

/** Values below the pointer, or the last observed ones. */
function Readout({ data, units, index }: Shown & { index: number | undefined }) {
  const { observed, expected, band } = texts.value;
  const [first] = Object.values(data.features);
  const at = index ?? first?.mean.findLastIndex((value) => value !== null) ?? 0;
  const time = data.times[at];
  const score = data.score?.[at];
  return (
    <p class="readout" aria-live="off">
      {time !== undefined && <span>{moments.value.whole(time)}</span>}
      {Object.entries(data.features).map(([name, columns]) => {
        const { mean, expected: means, lower, upper } = columns;
        const row = [mean, means, lower, upper].map((column) => column?.[at]);
        const [seen, usual, from, to] = formatInstant(numbers.value, row, units[name]);
        return (
          <span key={name}>
            <b>{name}</b> {observed} {seen}
            {means?.[at] != null && `, ${expected} ${usual}, ${band} ${from} … ${to}`}
          </span>
        );
      })}
      {typeof score === "number" && (
        <span>
          <b>{texts.value.score}</b> {describeScore(score)}
        </span>
      )}
    </p>
  );
}

interface Shown {
  readonly data: ChartData;
  readonly units: Units;
}

function Values({ data: { times, features, score }, units }: Shown) {
  const { observed, expected, score: scored } = texts.value;
  const textOf = (column: Column = [], unit?: string) => {
    return (i: number) => (column[i] == null ? "" : numbers.value.one(column[i], unit));
  };
  const columns = Object.entries(features).flatMap(([name, { mean, expected: means }]) => [
    [`${name}, ${observed}`, textOf(mean, units[name])] as const,
    [`${name}, ${expected}`, textOf(means, units[name])] as const,
  ]);
  return <ValuesTable times={times} columns={[...columns, [scored, textOf(score)]]} />;
}
