// Incidents of a report, the most severe first, each with the change before it.
import type { ReportedIncidentView, ReportView } from "../../../api/server/report.ts";
import { formatSpan } from "../../lib/format.ts";
import { buildRoute } from "../../lib/route.ts";
import { AfterChange } from "../../parts/anomalies/after-change.tsx";
import { describeWorst } from "../../parts/anomalies/describe.ts";
import { Panel } from "../../parts/attention/panel.tsx";
import { SeverityMark } from "../../parts/marks.tsx";
import { serverNow } from "../../state/clock.ts";
import { moments, texts } from "../../state/preferences.ts";

export function Incidents({ report: { incidents } }: { report: ReportView }) {
  const { reportPage: own } = texts.value;
  const { total, list } = incidents;
  return (
    <Panel
      title={own.incidents}
      rest={total > list.length ? { count: total, href: buildRoute(["anomalies"]) } : undefined}
    >
      {list.length === 0 && <li>{own.calm}</li>}
      {list.map((incident) => (
        <Incident key={incident.id} incident={incident} />
      ))}
    </Panel>
  );
}

function Incident({ incident }: { incident: ReportedIncidentView }) {
  const { reportPage: own, since, lasted, ongoing, confirmed, dismissed } = texts.value;
  const { id, severity, worst, start, end, tag, models, anomalies, anomaly, change } = incident;
  const moment = moments.value.moment(start, serverNow());
  const facts = [
    end === null ? `${since(moment)}, ${ongoing}` : `${moment}, ${lasted(formatSpan((end - start) * 1000))}`,
    ...(tag === undefined ? [] : [tag]),
    models.join(", "),
    ...(anomalies > 1 ? [own.anomalies(anomalies)] : []),
  ];
  return (
    <li>
      <SeverityMark severity={severity} />{" "}
      <a href={buildRoute(["models", models[0]!], { at: id })}>{describeWorst(worst)}</a>{" "}
      {anomaly !== undefined && (
        <strong class={anomaly ? "confirmed" : "dismissed"}>{anomaly ? confirmed : dismissed}</strong>
      )}
      <small>{facts.join(" · ")}</small>
      {change && (
        <small>
          <AfterChange change={change} />
        </small>
      )}
    </li>
  );
}
