// Sparkline: values with their normal range in a small picture; the sentence beside it says the same in words.
import { useMemo } from "preact/hooks";
import { areaPath, extentOf, linePath, scale } from "../../lib/plot.ts";
import type { SparkData } from "../../state/anomalies/now.ts";

const WIDTH = 240;
const HEIGHT = 56;
/** Pixels above and below the values. */
const ROOM = 3;

interface SparkProps {
  readonly data: SparkData | undefined;
  /** Columns that the value axis has room for; absent: those of the data. */
  readonly scaledBy?: readonly (readonly (number | null)[])[];
  /** Seconds since the epoch; a stretch in the colour of anomalies. */
  readonly marked?: { readonly start: number; readonly end: number | null };
}

export function Spark({ data, scaledBy, marked }: SparkProps) {
  const drawn = useMemo(() => data && draw(data, scaledBy), [data, scaledBy?.[0]]);
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {data && marked && <Marked data={data} {...marked} />}
      {drawn && (
        <>
          <path class="band" d={drawn.band} />
          <path class="range" d={drawn.range} />
          <path class="line" d={drawn.line} />
        </>
      )}
    </svg>
  );
}

function draw({ mean, min, max, lower = [], upper = [] }: SparkData, scaledBy: SparkProps["scaledBy"]) {
  const x = scale([0, mean.length - 1], [0, WIDTH]);
  const extent = extentOf(scaledBy ?? [min, max, lower, upper]);
  const y = scale([extent.min, extent.max], [HEIGHT - ROOM, ROOM]);
  return { band: areaPath(lower, upper, x, y), range: areaPath(min, max, x, y), line: linePath(mean, x, y) };
}

interface MarkedProps {
  readonly data: SparkData;
  readonly start: number;
  readonly end: number | null;
}

function Marked({ data: { from, step, mean }, start, end }: MarkedProps) {
  const x = scale([from, from + step * (mean.length - 1)], [0, WIDTH]);
  const [left, right] = [Math.max(0, x(start)), Math.min(WIDTH, end === null ? WIDTH : x(end))];
  if (right < 0 || left > WIDTH) return null;
  return <rect class="odd" x={left} y={0} width={Math.max(2, right - left)} height={HEIGHT} />;
}
