// Report: what happened in a range, how alarms were judged, and what would have spared the false ones.
import type { ReportView } from "../../../api/server/report.ts";
import { badRange, type Range, readRange } from "../../lib/range.ts";
import { buildRoute } from "../../lib/route.ts";
import { useAction } from "../../parts/action.ts";
import { Failing, NoData } from "../../parts/attention/troubles.tsx";
import { Loading, ProblemNote } from "../../parts/notes.tsx";
import { useAnswer } from "../../parts/use-answer.ts";
import { serverNow } from "../../state/clock.ts";
import { texts } from "../../state/preferences.ts";
import { route } from "../../state/route.ts";
import { download, may, request, session } from "../../state/session.ts";
import { Budgets, Changes, Limits } from "./ahead.tsx";
import { Figures } from "./figures.tsx";
import { Incidents } from "./incidents.tsx";
import { Noisiest } from "./noisiest.tsx";
import { ReportRange } from "./report-range.tsx";

export function Report() {
  const { report: title, chart } = texts.value;
  const { params } = route.value;
  const range = readRange(params, serverNow());
  const bad = badRange(params, serverNow());
  const query = queryOf(params, range);
  const { value, problem, again } = useAnswer(query, (signal) =>
    request<ReportView>(`/report?${query}`, { signal }),
  );
  return (
    <>
      <header class="head">
        <h1>{title}</h1>
        <Ways query={query} />
      </header>
      <ReportRange range={range} />
      {bad && <p role="status">{chart.noRange(bad)}</p>}
      {problem && <ProblemNote problem={problem} again={again} />}
      {!value && !problem && <Loading />}
      {value && <Answer report={value} />}
    </>
  );
}

/** A range that ends now keeps its name, so that it is not another one each second. */
function queryOf(
  { range = "7d", from, to }: Readonly<Record<string, string>>,
  { from: start, to: end }: Range,
) {
  const isFixed = from !== undefined && to !== undefined;
  return isFixed ? `from=${Math.round(start)}&to=${Math.round(end)}` : `from=${from ?? `now-${range}`}`;
}

/** The report on paper, and in mails. */
function Ways({ query }: { query: string }) {
  const { save, send } = texts.value.reportPage;
  const action = useAction();
  const path = `/report?${query}&format=html`;
  return (
    <div class="actions end">
      {action.problem.value && <ProblemNote problem={action.problem.value} />}
      <button type="button" onClick={() => void action.run(() => download(path, "report.html", "text/html"))}>
        {save}
      </button>
      {may.value("admin") && session.value?.hooks.mail && (
        <a class="button" href={buildRoute(["schedules"], { new: "report" })}>
          {send}
        </a>
      )}
    </div>
  );
}

function Answer({ report }: { report: ReportView }) {
  return (
    <>
      {report.truncated && <p class="note">{texts.value.reportPage.truncated}</p>}
      <Figures report={report} />
      <div class="now">
        <Incidents report={report} />
        <div>
          <Noisiest report={report} />
          <NoData view={report} />
          <Failing view={report} />
          <Changes report={report} />
          <Limits report={report} />
          <Budgets report={report} />
        </div>
      </div>
    </>
  );
}
