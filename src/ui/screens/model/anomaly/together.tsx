// What else deviated beside an anomaly, the most probable cause first, with what speaks for each.
import type { AnomalyDetailView } from "../../../../api/anomaly.ts";
import type { RelatedSeriesView } from "../../../../api/related.ts";
import { describeSeries } from "../../../../core/model/series-text.ts";
import { AT_ONCE, isFirstMover } from "../../../lib/anomalies/first-mover.ts";
import { addressOfAnomaly, addressOfSeries } from "../../../lib/fleet.ts";
import { formatSpan } from "../../../lib/format.ts";
import { buildRoute } from "../../../lib/route.ts";
import { useAnswer } from "../../../parts/use-answer.ts";
import { readRelated } from "../../../state/anomalies/anomaly.ts";
import { numbers, texts } from "../../../state/preferences.ts";

/** Confidence from which a series is called a probable cause. */
const PROBABLE = 0.3;

export function Together({ anomaly }: { anomaly: AnomalyDetailView }) {
  const { detail: own } = texts.value;
  const { value: found } = useAnswer(anomaly.id, (signal) => readRelated(anomaly.id, signal));
  if (!found) return null;
  const { related, common, watched } = found;
  return (
    <>
      <h3>{own.together}</h3>
      {common && <p>{own.commonMove(percent(common.share))}</p>}
      {related.length === 0 && !common && <p class="quiet">{own.noneMoved(watched)}</p>}
      {isFirstMover(found) && <p>{own.firstItself}</p>}
      <ul class="attention">
        {related.map((one) => (
          <li key={`${one.model} ${JSON.stringify(one.series ?? {})}`}>
            <a href={addressOf(one)}>{one.model}</a>{" "}
            <span class="quiet">
              {one.series && `${describeSeries(one.series)} `}
              {own.deviated[one.type](one.feature)}
              {one.confidence >= PROBABLE && `, ${own.probably(percent(one.confidence))}`}
            </span>
            <small>{reasonsOf(one).join(" · ")}</small>
          </li>
        ))}
      </ul>
    </>
  );
}

function addressOf({ anomaly: id, model, series, start }: RelatedSeriesView): string {
  if (id !== undefined) return addressOfAnomaly({ id, model, ...(series && { series }) });
  const at = { from: String(start - 6 * 3600), to: String(start + 3 * 3600) };
  return series ? addressOfSeries(model, series, at) : buildRoute(["models", model], at);
}

function reasonsOf({ lead, shared, together, past }: RelatedSeriesView): string[] {
  const { detail: own } = texts.value;
  return [
    ...(lead === undefined ? [] : [whenText(lead)]),
    ...(shared ? [own.shares(describeSeries(shared))] : []),
    ...(together && together.times > 0 ? [own.beside(together.times, together.of)] : []),
    ...(past.days >= 1 ? [own.before30(past.times, Math.round(past.days))] : []),
  ];
}

function whenText(lead: number): string {
  const { detail: own } = texts.value;
  if (Math.abs(lead) < AT_ONCE) return own.atOnce;
  return (lead > 0 ? own.before : own.after)(formatSpan(Math.abs(lead) * 1000));
}

function percent(share: number): string {
  return `${numbers.value.one(Math.round(100 * share))} %`;
}
