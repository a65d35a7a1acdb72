// Ends of a report: changes that incidents followed, limits that are reached next, error budgets with the least left.
import type { ReportView } from "../../../api/server/report.ts";
import { describeSeries } from "../../../core/model/series-text.ts";
import { addressOfLimit, subjectOf } from "../../lib/capacity.ts";
import { addressOfSeries } from "../../lib/fleet.ts";
import { buildRoute } from "../../lib/route.ts";
import { ChangeName } from "../../parts/anomalies/after-change.tsx";
import { describeWorst } from "../../parts/anomalies/describe.ts";
import { Panel } from "../../parts/attention/panel.tsx";
import { serverNow } from "../../state/clock.ts";
import { moments, numbers, texts } from "../../state/preferences.ts";

interface SectionProps {
  readonly report: ReportView;
}

const momentOf = (at: number) => moments.value.moment(at, serverNow());

export function Changes({ report: { changes } }: SectionProps) {
  const { reportPage: own } = texts.value;
  const { total, good, followed } = changes;
  if (total + followed.length === 0) return null;
  return (
    <Panel title={own.changes}>
      <li>{own.quietChanges(total, good)}</li>
      {followed.map((change) => (
        <li key={change.id}>
          <ChangeName change={change} /> <span class="quiet">{momentOf(change.at)}</span>
          <small>
            {own.followed(change.incidents)}: {describeWorst(change.worst)}
          </small>
        </li>
      ))}
    </Panel>
  );
}

export function Limits({ report: { capacity } }: SectionProps) {
  const { capacity: title, reportPage: own, capacityPage } = texts.value;
  const { total, list } = capacity;
  if (total === 0) return null;
  return (
    <Panel title={title} rest={{ count: total, href: buildRoute(["capacity"]) }}>
      {list.map((limit) => {
        const { model, series, feature, unit, date } = limit;
        const bound = numbers.value.one(limit.limit.value, unit);
        return (
          <li key={`${subjectOf(limit)} ${limit.limit.type}`}>
            <a href={addressOfLimit(limit, serverNow())}>{model}</a>{" "}
            <span class="quiet">{series && describeSeries(series)}</span>
            <small>
              {own.reached(feature, bound, date === undefined ? capacityPage.unpredictable : momentOf(date))}
            </small>
          </li>
        );
      })}
    </Panel>
  );
}

export function Budgets({ report: { budgets } }: SectionProps) {
  const { budget: own } = texts.value;
  const { total, list } = budgets;
  if (total === 0) return null;
  return (
    <Panel title={own.title}>
      {list.map(({ model, series, feature, remaining, exhaustion: { date, outlook } }) => (
        <li key={subjectOf({ model, feature, ...(series && { series }) })}>
          <a href={series ? addressOfSeries(model, series) : buildRoute(["models", model])}>{model}</a>{" "}
          <span class="quiet">
            {series && describeSeries(series)} {feature}
          </span>
          <small>
            {own.remaining}: {remaining === null ? own.unknown : numbers.value.one(100 * remaining, "%")} ·{" "}
            {own.exhausted}: {date === undefined ? own.outlooks[outlook] : momentOf(date)}
          </small>
        </li>
      ))}
    </Panel>
  );
}
