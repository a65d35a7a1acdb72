// First look at a series: points, ends, rhythm, lateness, a chart and the five oddest stretches.
import { useSignal } from "@preact/signals";
import type { StoredDetectionView } from "../../api/detection.ts";
import { formatAge, formatSpan } from "../lib/format.ts";
import { serverNow } from "../state/clock.ts";
import { moments, numbers, texts } from "../state/preferences.ts";
import { Facts } from "./facts.tsx";
import { LookChart, ODDEST } from "./look-chart.tsx";
import { TableHead } from "./table.tsx";

/** Rows of the table. */
const MAX_ROWS = 200;

interface LookProps {
  readonly name: string;
  readonly look: StoredDetectionView;
}

export function FirstLook({ name, look }: LookProps) {
  const { look: own } = texts.value;
  const { anomalies, score } = look;
  const shown = anomalies.slice(0, ODDEST);
  const { whole } = moments.value;
  const label = own.chart(name, whole(look.oldest), whole(look.newest), shown.length);
  return (
    <>
      <LookFacts look={look} />
      <LookChart look={look} label={label} />
      <Values look={look} />
      {!score && <p class="quiet">{own.tooFew}</p>}
      {shown.length > 0 && (
        <>
          <h3>{own.oddest}</h3>
          <ol class="oddest">
            {shown.map((anomaly) => (
              <li key={anomaly.peak}>
                <Oddity {...anomaly} unit={look.unit} />
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  );
}

function Oddity({
  start,
  end,
  peak_score: score,
  observed,
  expected,
  unit,
}: StoredDetectionView["anomalies"][number] & { readonly unit: string | undefined }) {
  const { look: own } = texts.value;
  const [seen, usual] = numbers.value.together([observed, expected], { unit });
  return (
    <>
      <b>{score.toFixed(0)}</b> {moments.value.whole(start)}, {formatSpan((end - start) * 1000)}:{" "}
      {own.insteadOf(seen!, usual!)}
    </>
  );
}

function LookFacts({ look }: { look: StoredDetectionView }) {
  const { look: own, ago } = texts.value;
  const { points, found, oldest, newest, period, bucket_interval: interval } = look;
  const now = serverNow();
  const facts = [
    [own.points, numbers.value.fixed(points ?? found, 0)],
    [own.since, moments.value.moment(oldest, now)],
    [own.every, formatSpan(interval * 1000)],
    [own.rhythm, period > 0 ? formatSpan(period * interval * 1000) : own.none],
    [own.newest, ago(formatAge(now - newest - interval))],
  ] as const;
  return <Facts facts={facts} />;
}

/** The steps of the chart as a table, drawn when it is opened. */
function Values({ look }: Pick<LookProps, "look">) {
  const { table, time, observed, expected, score: scoreName } = texts.value;
  const isOpen = useSignal(false);
  const { from, step, cells, mean, expected: expectations, score } = look;
  const every = Math.max(1, Math.ceil(cells / MAX_ROWS));
  const rows = Array.from({ length: Math.ceil(cells / every) }, (_, i) => i * every);
  const show = (column: readonly (number | null)[] | undefined, i: number) => {
    const value = column?.[i] ?? null;
    return value === null ? "" : numbers.value.one(value, column === score ? undefined : look.unit);
  };
  return (
    <details onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
      <summary>{table}</summary>
      {isOpen.value && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be in reach of the keyboard
        <section class="scroll" tabIndex={0} aria-label={table}>
          <table>
            <TableHead titles={[time, observed, expected, scoreName]} />
            <tbody>
              {rows.map((i) => (
                <tr key={i}>
                  <th scope="row">{moments.value.whole(from + i * step)}</th>
                  <td>{show(mean, i)}</td>
                  <td>{show(expectations, i)}</td>
                  <td>{show(score, i)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  );
}
