// Troubles: sources, models and series without data, and models that fail.
import type { NowView } from "../../../api/server/now.ts";
import { buildRoute } from "../../lib/route.ts";
import { serverNow } from "../../state/clock.ts";
import { moments, texts } from "../../state/preferences.ts";
import { Panel, SHOWN } from "./panel.tsx";

type Silence = Pick<NowView, "sources" | "silent" | "silent_series">;

export function NoData({ view: { sources, silent, silent_series: fleets } }: { view: Silence }) {
  const { nowPage: own, standing, problem } = texts.value;
  if (sources.length + silent.total + fleets.length === 0) return null;
  const at = serverNow();
  const moment = (seconds: number) => moments.value.moment(seconds, at);
  return (
    <Panel
      title={own.noData}
      rest={{ count: silent.total, href: buildRoute(["models"], { state: "no_data" }) }}
    >
      {sources.map(({ bucket, since, code, message }) => (
        <li key={bucket}>
          <a href={buildRoute(["buckets", bucket])}>{bucket}</a> {own.sourceDown(moment(since))}
          <small class="bad">{problem(code, message)}</small>
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

export function Failing({ view: { failing } }: { view: Pick<NowView, "failing"> }) {
  if (failing.total === 0) return null;
  return (
    <Panel
      title={texts.value.nowPage.failing}
      rest={{ count: failing.total, href: buildRoute(["models"], { state: "failing" }) }}
    >
      {failing.list.slice(0, SHOWN).map(({ model, code, message }) => (
        <li key={model}>
          <a href={buildRoute(["models", model])}>{model}</a>
          <small class="bad">{texts.value.problem(code, message)}</small>
        </li>
      ))}
    </Panel>
  );
}
