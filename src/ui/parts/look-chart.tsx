// Chart of a first look: values with their normal range, the oddest stretches, scores below; SVG, no library.
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { StoredDetectionView } from "../../api/detection.ts";
import {
  areaPath,
  extentOf,
  formatInstant,
  linePath,
  type Scale,
  scale,
  timeLabels,
  timeTicks,
  valueAxis,
  withSymbol,
} from "../lib/plot.ts";
import { language, moments, numbers, texts } from "../state/preferences.ts";

const HEIGHT = 280;
const SCORE_HEIGHT = 64;
const LEFT = 48;
const BOTTOM = 20;
/** Characters that fit left of the axis. */
const LABEL_LENGTH = 7;
const DAY = 86_400;
/** Stretches that are marked. */
export const ODDEST = 5;

interface ChartProps {
  readonly look: StoredDetectionView;
  readonly label: string;
}

export function LookChart({ look, label }: ChartProps) {
  const element = useRef<HTMLDivElement>(null);
  const width = useSignal(0);
  const index = useSignal<number | undefined>(undefined);
  useEffect(() => {
    const target = element.current!;
    const sizes = new ResizeObserver(() => (width.value = Math.max(240, target.clientWidth)));
    sizes.observe(target);
    return () => sizes.disconnect();
  }, []);
  const { from, step, cells } = look;
  const point = ({ offsetX }: { offsetX: number }) => {
    const at = Math.floor(((offsetX - LEFT) / (width.value - LEFT)) * cells);
    index.value = at >= 0 && at < cells ? at : undefined;
  };
  return (
    <figure>
      <div ref={element} class="look" onPointerMove={point} onPointerLeave={() => (index.value = undefined)}>
        {width.value > 0 && <Drawing look={look} label={label} width={width.value} />}
      </div>
      <Readout look={look} index={index.value} time={from + (index.value ?? 0) * step} />
    </figure>
  );
}

function Drawing({ look, label, width }: ChartProps & { width: number }) {
  const { from, step, cells, score, mean, anomalies } = look;
  const to = from + cells * step;
  const height = HEIGHT + (score ? SCORE_HEIGHT : 0) + BOTTOM;
  const time = scale([from, to], [LEFT, width]);
  // Columns end where the next cell begins: a value stands in the middle of its cell.
  const column = scale([-0.5, cells - 0.5], [LEFT, width]);
  const { min, max } = extentOf([look.min, look.max, look.lower ?? [], look.upper ?? []]);
  const value = scale([min, max], [HEIGHT, 12]);
  const axis = valueAxis({ min, max, count: 5 }, { unit: look.unit, language: language.value });
  const { labels, isWhole } = withSymbol(axis, ({ length }) => length <= LABEL_LENGTH);
  const dates = to - from > 2 * DAY;
  const { date, moment, offset } = moments.value;
  const paths = useMemo(() => pathsOf(look, column, value), [look, width]);
  return (
    <svg width={width} height={height} role="img" aria-label={label}>
      {axis.ticks.map((tick, i) => (
        <g key={tick} class="tick">
          <line x1={LEFT} x2={width} y1={value(tick)} y2={value(tick)} />
          <text x={LEFT - 8} y={value(tick) + 4} text-anchor="end">
            {labels[i]}
          </text>
        </g>
      ))}
      {!isWhole && (
        <text class="tick" x={LEFT + 4} y={HEIGHT - 4}>
          {axis.symbol}
        </text>
      )}
      {timeTicks(from, to, timeLabels(width - LEFT), offset).map((tick) => (
        <g key={tick} class="tick">
          <line x1={time(tick)} x2={time(tick)} y1={12} y2={height - BOTTOM} />
          <text x={Math.min(Math.max(time(tick), LEFT + 16), width - 24)} y={height - 4} text-anchor="middle">
            {dates ? date(tick) : moment(tick, tick)}
          </text>
        </g>
      ))}
      {anomalies.slice(0, ODDEST).map(({ start, end, peak }) => (
        <g key={peak} class="odd">
          <rect x={time(start)} y={4} width={Math.max(3, time(end) - time(start))} height={HEIGHT - 4} />
          <rect class="mark" x={time(start)} y={4} width={Math.max(3, time(end) - time(start))} height={4} />
        </g>
      ))}
      <path class="band" d={paths.band} />
      <path class="range" d={paths.range} />
      <path class="expected" d={paths.expected} />
      <path class="line" d={paths.line} />
      {score && <Scores score={score} mean={mean} column={column} width={width} />}
    </svg>
  );
}

function pathsOf({ min, max, mean, lower, upper, expected }: StoredDetectionView, x: Scale, y: Scale) {
  return {
    band: lower && upper ? areaPath(lower, upper, x, y) : "",
    range: areaPath(min, max, x, y),
    expected: expected ? linePath(expected, x, y) : "",
    line: linePath(mean, x, y),
  };
}

type ScoreProps = Pick<StoredDetectionView, "mean"> & {
  readonly score: readonly (number | null)[];
  readonly column: Scale;
  readonly width: number;
};

function Scores({ score, column, width }: ScoreProps) {
  const y = scale([0, 100], [HEIGHT + SCORE_HEIGHT, HEIGHT + 16]);
  return (
    <>
      <g class="tick">
        <line x1={LEFT} x2={width} y1={y(0)} y2={y(0)} />
        <line x1={LEFT} x2={width} y1={y(100)} y2={y(100)} />
        <text x={LEFT - 8} y={y(100) + 4} text-anchor="end">
          100
        </text>
        <text x={LEFT + 4} y={y(100) - 4}>
          {texts.value.score}
        </text>
      </g>
      <path
        class="scores"
        d={areaPath(
          score.map((value) => value && 0),
          score,
          column,
          y,
        )}
      />
    </>
  );
}

function Readout({
  look,
  index,
  time,
}: {
  look: StoredDetectionView;
  index: number | undefined;
  time: number;
}) {
  const { observed, expected, band, score: scoreName, look: own } = texts.value;
  if (index === undefined) return <p class="readout quiet">{own.hover}</p>;
  const { mean, expected: expectations, lower, upper, score } = look;
  const row = [mean, expectations, lower, upper].map((column) => column?.[index]);
  const [seen, usual, from, to] = formatInstant(numbers.value, row, look.unit);
  return (
    <p class="readout">
      <span>{moments.value.whole(time)}</span>
      <span>
        {observed} {seen}
      </span>
      {score && (
        <span>
          {expected} {usual}, {band} {from} … {to}, {scoreName} {score[index]?.toFixed(0) ?? "–"}
        </span>
      )}
    </p>
  );
}
