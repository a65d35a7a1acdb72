// What else needs attention: sources and series without data, failures, limits ahead, anomalies to judge.
import type { ComponentChildren } from "preact";
import type { AnomalyView } from "../../../api/anomaly.ts";
import type { NowView } from "../../../api/server/now.ts";
import { describeSeries } from "../../../core/model/series-text.ts";
import { addressOfAnomaly, addressOfSeries } from "../../lib/fleet.ts";
import { buildRoute } from "../../lib/route.ts";
import { describeForecast } from "../../lib/standing.ts";
import { describeAnomaly, describeLength } from "../../parts/anomalies/describe.ts";
import { Verdict } from "../../parts/anomalies/verdict.tsx";
import { serverNow } from "../../state/clock.ts";
import { moments, numbers, texts } from "../../state/preferences.ts";

/** Entries of a card. */
const SHOWN = 5;

interface PanelProps {
  readonly title: string;
  /** All of them, where more are known than are shown. */
  readonly rest?: { readonly count: number; readonly href: string } | undefined;
  readonly children: ComponentChildren;
}

function Panel({ title, rest, children }: PanelProps) {
  return (
    <section class="card">
      <header class="card-head">
        <h2>{title}</h2>
        {rest && rest.count > SHOWN && <a href={rest.href}>{texts.value.nowPage.all(rest.count)}</a>}
      </header>
      <ul class="attention">{children}</ul>
    </section>
  );
}

export function NoData({ view: { sources, silent, silent_series: fleets } }: { view: NowView }) {
  const { nowPage: own, standing } = texts.value;
  if (sources.length + silent.total + fleets.length === 0) return null;
  const at = serverNow();
  const moment = (seconds: number) => moments.value.moment(seconds, at);
  return (
    <Panel
      title={own.noData}
      rest={{ count: silent.total, href: buildRoute(["models"], { state: "no_data" }) }}
    >
      {sources.map(({ bucket, since, message }) => (
        <li key={bucket}>
          <a href={buildRoute(["buckets", bucket])}>{bucket}</a> {own.sourceDown(moment(since))}
          <small class="bad">{message}</small>
        </li>
      ))}
      {silent.list.slice(0, SHOWN).map(({ model, since }) => (
        <li key={model}>
          <a href={buildRoute(["models", model])}>{model}</a>{" "}
          {since !== undefined && standing.noPoints(moment(since))}
        </li>
      ))}
      {fleets.slice(0, SHOWN).map(({ model, series }) => (
        <li key={model}>
          <a href={buildRoute(["models", model, "series"], { state: "silent" })}>{model}</a>{" "}
          {own.silentSeries(series)}
        </li>
      ))}
    </Panel>
  );
}

export function Failing({ view: { failing } }: { view: NowView }) {
  if (failing.total === 0) return null;
  return (
    <Panel
      title={texts.value.nowPage.failing}
      rest={{ count: failing.total, href: buildRoute(["models"], { state: "failing" }) }}
    >
      {failing.list.slice(0, SHOWN).map(({ model, message }) => (
        <li key={model}>
          <a href={buildRoute(["models", model])}>{model}</a>
          <small class="bad">{message}</small>
        </li>
      ))}
    </Panel>
  );
}

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
