// Curve of alarms a week by threshold; dashed lines mark the threshold in force and the tried one.
import { useMemo } from "preact/hooks";
import type { AnomalyRules } from "../../../../core/anomaly/state.ts";
import { curveOf, type Scores } from "../../../lib/replay.ts";
import { numbers, texts } from "../../../state/preferences.ts";

const WIDTH = 320;
const HEIGHT = 90;

interface CurveProps {
  readonly scores: Scores;
  readonly current: AnomalyRules;
  readonly tried: AnomalyRules;
}

export function AlarmCurve({ scores, current, tried }: CurveProps) {
  const { curve, curveSummary } = texts.value.tune;
  const { minDuration, gracePeriodMs } = tried;
  const points = useMemo(() => curveOf(scores, current), [scores, minDuration, gracePeriodMs, current.max]);
  // A root scale: one alarm a week stays visible beside a hundred.
  const most = Math.max(1, ...points.map(({ alarms }) => alarms));
  const y = (alarms: number) => HEIGHT - Math.sqrt(alarms / most) * (HEIGHT - 4) - 2;
  const x = (max: number) => (max / 100) * WIDTH;
  const path = points.map(({ max, alarms }, i) => `${i === 0 ? "M" : "L"}${x(max)},${y(alarms)}`).join("");
  const count = (point = points[0]) => numbers.value.fixed(point?.alarms ?? 0, 1);
  const caption = curve(numbers.value.one(most));
  const summary = curveSummary(count(), count(points.at(-1)));
  return (
    <figure class="curve">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${caption}. ${summary}`}>
        <line class="in-force" x1={x(current.max)} x2={x(current.max)} y1="0" y2={HEIGHT} />
        <line class="tried" x1={x(tried.max)} x2={x(tried.max)} y1="0" y2={HEIGHT} />
        <path d={path} />
      </svg>
      <figcaption class="quiet">{caption}</figcaption>
    </figure>
  );
}
