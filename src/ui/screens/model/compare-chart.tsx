// Chart of a feature: its observed values, and what two versions expected, with the bands.
import { useMemo } from "preact/hooks";
import { areaPath, extentWithBand, linePath, scale, valueAxis, withSymbol } from "../../lib/plot.ts";
import { thin, type VersionSeries } from "../../lib/version-quality.ts";
import { TimeAxis } from "../../parts/pictures/time-axis.tsx";
import { language, texts } from "../../state/preferences.ts";

const WIDTH = 1000;
const HEIGHT = 200;
/** Points of a line. */
const POINTS = 500;
/** Values of the axis at most: steps of 1, 2 and 5 leave three of them at least. */
const TICKS = 8;

interface ChartProps {
  readonly feature: string;
  readonly unit: string | undefined;
  readonly names: readonly string[];
  readonly series: readonly VersionSeries[];
}

export function CompareChart({ feature, unit, names, series }: ChartProps) {
  const { chart, legend } = texts.value.compare;
  const paths = useMemo(() => pathsOf(feature, series), [feature, series]);
  const { min, max, y } = paths;
  const { from, step, score } = series[0]!;
  const axis = valueAxis({ min, max, count: TICKS }, { unit, language: language.value });
  const { labels } = withSymbol(axis, () => true);
  return (
    <figure>
      <h3>{feature}</h3>
      <div class="compare">
        {axis.ticks.map((tick, i) => (
          <span key={tick} aria-hidden="true" style={{ top: `${y(tick)}px` }}>
            {labels[i]}
          </span>
        ))}
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={chart(feature, names[0]!, names[1]!)}
        >
          <path class="grid" d={axis.ticks.map((tick) => `M0 ${y(tick)}h${WIDTH}`).join("")} />
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
      </div>
    </figure>
  );
}

function pathsOf(feature: string, series: readonly VersionSeries[]) {
  const observed = thin(series[0]!.observed[feature] ?? [], POINTS);
  const columns = series.map(({ expected }) => {
    const { mean = [], lower = [], upper = [] } = expected[feature] ?? {};
    return { mean: thin(mean, POINTS), lower: thin(lower, POINTS), upper: thin(upper, POINTS) };
  });
  const { min, max } = extentWithBand(
    [observed],
    columns.flatMap(({ lower, upper }) => [lower, upper]),
  );
  const x = scale([0, Math.max(1, observed.length - 1)], [0, WIDTH]);
  const y = scale([min, max], [HEIGHT, 0]);
  return {
    min,
    max,
    y,
    observed: linePath(observed, x, y),
    versions: columns.map(({ mean, lower, upper }) => ({
      band: areaPath(lower, upper, x, y),
      line: linePath(mean, x, y),
    })),
  };
}
