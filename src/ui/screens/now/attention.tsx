// What else needs attention: limits ahead, and anomalies to judge.
import type { AnomalyView } from "../../../api/anomaly.ts";
import type { NowView } from "../../../api/server/now.ts";
import { describeSeries } from "../../../core/model/series-text.ts";
import { addressOfAnomaly, addressOfSeries } from "../../lib/fleet.ts";
import { buildRoute } from "../../lib/route.ts";
import { describeForecast } from "../../lib/standing.ts";
import { describeAnomaly, describeLength } from "../../parts/anomalies/describe.ts";
import { Verdict } from "../../parts/anomalies/verdict.tsx";
import { Panel, SHOWN } from "../../parts/attention/panel.tsx";
import { serverNow } from "../../state/clock.ts";
import { moments, numbers, texts } from "../../state/preferences.ts";

export function Bounds({ view: { bounds } }: { view: NowView }) {
  const { nowPage: own } = texts.value;
  if (bounds.total === 0) return null;
  const words = {
    texts: texts.value,
    moments: moments.value,
    numbers: numbers.value,
    now: serverNow(),
  };
  return (
    <Panel title={own.bounds}>
      {bounds.list.slice(0, SHOWN).map((bound) => {
        const { model, series, feature, unit } = bound;
        const units = unit ? { [feature]: unit } : undefined;
        const href = series ? addressOfSeries(model, series) : buildRoute(["models", model, "forecast"]);
        return (
          <li key={`${model} ${series && describeSeries(series)} ${feature} ${bound.threshold}`}>
            <a href={href}>{model}</a> <span class="quiet">{series && describeSeries(series)}</span>
            {describeForecast(bound, { ...words, units }).map(({ text, isActive }) => (
              <small key={text} class={isActive ? "bad" : ""}>
                {text}
              </small>
            ))}
          </li>
        );
      })}
    </Panel>
  );
}

interface UnjudgedProps {
  readonly view: NowView;
  readonly onJudge: (anomalies: readonly AnomalyView[], verdict: boolean) => void;
}

export function Unjudged({ view: { unjudged }, onJudge }: UnjudgedProps) {
  const { nowPage: own } = texts.value;
  if (unjudged.total === 0) return null;
  return (
    <Panel
      title={own.unjudged}
      rest={{ count: unjudged.total, href: buildRoute(["anomalies"], { days: "7", unjudged: "1" }) }}
    >
      {unjudged.list.slice(0, SHOWN).map((anomaly) => (
        <li key={anomaly.id}>
          <a href={addressOfAnomaly(anomaly)}>{anomaly.model}</a>{" "}
          <span class="quiet">
            {moments.value.moment(anomaly.start, serverNow())}, {describeLength(anomaly)}
          </span>
          <small>{describeAnomaly(anomaly)}</small>
          <Verdict hasKeys={false} given={undefined} onJudge={(verdict) => onJudge([anomaly], verdict)} />
        </li>
      ))}
    </Panel>
  );
}
