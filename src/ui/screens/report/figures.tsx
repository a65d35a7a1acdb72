// Figures of a report: alarms by verdict beside those of the range before, incidents, and alarms by day.
import type { ReportView } from "../../../api/server/report.ts";
import { Facts } from "../../parts/facts.tsx";
import { moments, texts } from "../../state/preferences.ts";

/** Pixels of a day. */
const DAY = 12;
const HEIGHT = 48;

export function Figures({ report: { alarms, incidents, ...report } }: { report: ReportView }) {
  const { reportPage: own, nowPage } = texts.value;
  const { before } = alarms;
  const silent = report.sources.length + report.silent.total + report.silent_series.length;
  return (
    <section class="card">
      <Facts
        facts={[
          [own.alarms, own.before(alarms.total, before.total)],
          [own.confirmed, own.before(alarms.confirmed, before.confirmed)],
          [own.dismissed, own.before(alarms.dismissed, before.dismissed)],
          [own.unjudged, own.before(alarms.unjudged, before.unjudged)],
          [own.incidents, String(incidents.total)],
          [nowPage.noData, String(silent)],
        ]}
      />
      <Days days={alarms.days} />
    </section>
  );
}

/** A bar per day. */
function Days({ days }: Pick<ReportView["alarms"], "days">) {
  const { reportPage: own } = texts.value;
  const counts = days.map(({ total }) => total);
  const most = Math.max(...counts);
  const width = DAY * days.length;
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last || most === 0) return null;
  const { date } = moments.value;
  const caption = own.byDay(date(first.at), date(last.at), most);
  const picture = (
    <svg
      class="days"
      role="img"
      aria-label={`${caption}; ${counts.join(", ")}`}
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="none"
    >
      {days.map(({ at, total }, i) => {
        const height = Math.max(1, (HEIGHT * total) / most);
        return <rect key={at} x={i * DAY} y={HEIGHT - height} width={DAY - 2} height={height} />;
      })}
    </svg>
  );
  return (
    <figure>
      {picture}
      <figcaption class="quiet">{caption}</figcaption>
    </figure>
  );
}
