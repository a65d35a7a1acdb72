// Why an anomaly was raised: values at its peak, how rare, and the share of each detector in words and bars.
import type { AnomalyDetailView } from "../../../../api/anomaly.ts";
import { strongestOf } from "../../../../core/anomaly/reports/strongest.ts";
import { splitDetector } from "../../../lib/anomalies/oddity.ts";
import { rarityOf } from "../../../lib/format.ts";
import { Facts } from "../../../parts/facts.tsx";
import { language, numbers, texts } from "../../../state/preferences.ts";

/** Shares below are not shown. */
const MIN_SHARE = 0.05;

export function Why({ anomaly }: { anomaly: AnomalyDetailView }) {
  const { detail: own, observed, expected, band } = texts.value;
  const strongest = strongestOf(anomaly);
  if (!strongest) return null;
  const [, report] = strongest;
  const { lower, upper, factor, rarity, predicted, unit } = report;
  const format = { scale: upper - lower, unit };
  const [usual, seen] = numbers.value.together([predicted, report.observed], format);
  const [lowest, greatest] = numbers.value.together([lower, upper], format);
  const facts: [name: string, value: string | undefined][] = [
    [observed, report.observed === null ? texts.value.nothingObserved : seen],
    [expected, usual],
    [band, `${lowest} … ${greatest}`],
  ];
  if (factor !== undefined)
    facts.push([own.distance, own.times(numbers.value.one(Number(factor.toPrecision(2))))]);
  if (rarity !== undefined) facts.push([own.rarity, own.oneIn(rarityOf(rarity, language.value))]);
  if (anomaly.confidence) facts.push([own.confidence, own.confidences[anomaly.confidence]]);
  return (
    <>
      <h3>{own.atPeak}</h3>
      <Facts facts={facts} />
      {report.contributions && <Detectors contributions={report.contributions} />}
    </>
  );
}

/** Detectors of one family count as one: they differ in the length they compare. */
function Detectors({ contributions }: { contributions: Readonly<Record<string, number>> }) {
  const { detail: own } = texts.value;
  const families = new Map<string, number>();
  for (const [name, share] of Object.entries(contributions)) {
    const [family] = splitDetector(name);
    families.set(family, (families.get(family) ?? 0) + share);
  }
  const shown = [...families].filter(([, share]) => share >= MIN_SHARE).sort(([, a], [, b]) => b - a);
  return (
    <>
      <h3>{own.foundBy}</h3>
      <ul class="shares">
        {shown.map(([family, share]) => {
          const percent = Math.round(100 * share);
          return (
            <li key={family}>
              <span>{own.detectors[family as keyof typeof own.detectors] ?? family}</span>
              <progress max={100} value={percent} aria-hidden="true" />
              <span>{percent} %</span>
            </li>
          );
        })}
      </ul>
    </>
  );
}
