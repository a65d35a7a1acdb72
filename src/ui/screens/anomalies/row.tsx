// Rows of the inbox: an anomaly, or an incident of several models, which opens to its members.
import type { AnomalyView } from "../../../api/anomaly.ts";
import { severities } from "../../../core/anomaly/severity.ts";
import { type Incident, modelsOf, spanOfIncident, verdictOf } from "../../../core/report/incidents.ts";
import { rampOf } from "../../lib/anomalies/lanes.ts";
import { addressOfAnomaly } from "../../lib/fleet.ts";
import { describeAnomaly, describeLength, describeSubject } from "../../parts/anomalies/describe.ts";
import { Verdict } from "../../parts/anomalies/verdict.tsx";
import { SeverityMark } from "../../parts/marks.tsx";
import { serverNow } from "../../state/clock.ts";
import { moments, texts } from "../../state/preferences.ts";
import { may } from "../../state/session.ts";

/** What rows do to the inbox. */
export interface InboxActions {
  readonly picked: ReadonlySet<string>;
  /** Keys of the incidents that are open. */
  readonly opened: ReadonlySet<string>;
  readonly onPick: (anomalies: readonly AnomalyView[]) => void;
  readonly onOpen: (incident: Incident<AnomalyView>) => void;
  readonly onJudge: (anomalies: readonly AnomalyView[], verdict: boolean) => void;
}

/** Stays the same while members come. */
export function keyOf({ tag = "", members }: Incident<AnomalyView>): string {
  return `${tag} ${members.at(-1)!.id}`;
}

interface RowProps extends InboxActions {
  readonly incident: Incident<AnomalyView>;
  readonly isCurrent: boolean;
}

export function Row({ incident, isCurrent, ...actions }: RowProps) {
  const { members } = incident;
  const [first] = members;
  if (members.length === 1) return <AnomalyRow anomaly={first!} isCurrent={isCurrent} {...actions} />;
  const isOpen = actions.opened.has(keyOf(incident));
  return (
    <>
      <IncidentRow incident={incident} isCurrent={isCurrent} isOpen={isOpen} {...actions} />
      {isOpen &&
        members.map((anomaly) => <AnomalyRow key={anomaly.id} anomaly={anomaly} isMember {...actions} />)}
    </>
  );
}

function IncidentRow({ incident, isCurrent, isOpen, ...actions }: RowProps & { readonly isOpen: boolean }) {
  const { members, tag = "" } = incident;
  const names = modelsOf(incident);
  const span = spanOfIncident(incident);
  const severity = severities.findLast((level) => members.some((each) => each.severity === level))!;
  const moment = moments.value.moment(span.start, serverNow());
  const title = texts.value.inbox.incident(tag, names.length);
  return (
    <li class={isCurrent ? "chosen" : ""} data-row={isCurrent}>
      <Pick name={title} moment={moment} anomalies={members} {...actions} />
      <Peak score={Math.max(...members.map(({ peak_score }) => peak_score))} />
      <button type="button" class="link" aria-expanded={isOpen} onClick={() => actions.onOpen(incident)}>
        {title}
      </button>
      <SeverityMark severity={severity} />
      <span>{moment}</span>
      <span class="quiet">{describeLength(span)}</span>
      <span class="what">{names.join(", ")}</span>
      <Verdict given={verdictOf(incident)} onJudge={(verdict) => actions.onJudge(members, verdict)} />
    </li>
  );
}

interface AnomalyRowProps extends InboxActions {
  readonly anomaly: AnomalyView;
  readonly isCurrent?: boolean;
  readonly isMember?: boolean;
}

function AnomalyRow({ anomaly, isCurrent = false, isMember = false, ...actions }: AnomalyRowProps) {
  const { model, start, peak_score, severity, feedback } = anomaly;
  const moment = moments.value.moment(start, serverNow());
  const subject = describeSubject(anomaly);
  return (
    <li class={isCurrent ? "chosen" : isMember ? "member" : ""} data-row={isCurrent}>
      <Pick
        name={subject ? `${model}, ${subject}` : model}
        moment={moment}
        anomalies={[anomaly]}
        {...actions}
      />
      <Peak score={peak_score} />
      <span>
        <a href={addressOfAnomaly(anomaly)}>{model}</a> <small class="quiet">{subject}</small>
      </span>
      <SeverityMark severity={severity} />
      <span>{moment}</span>
      <span class="quiet">{describeLength(anomaly)}</span>
      <span class="what">{describeAnomaly(anomaly)}</span>
      <Verdict given={feedback?.anomaly} onJudge={(verdict) => actions.onJudge([anomaly], verdict)} />
    </li>
  );
}

interface PickProps extends Pick<InboxActions, "picked" | "onPick"> {
  readonly name: string;
  readonly moment: string;
  readonly anomalies: readonly AnomalyView[];
}

function Pick({ name, moment, anomalies, picked, onPick }: PickProps) {
  return (
    <span>
      {may.value("run") && (
        <input
          type="checkbox"
          aria-label={texts.value.inbox.pick(name, moment)}
          checked={anomalies.every(({ id }) => picked.has(id))}
          onChange={() => onPick(anomalies)}
        />
      )}
    </span>
  );
}

function Peak({ score }: { score: number }) {
  const shown = score.toFixed(0);
  return (
    <span class={`peak ramp${rampOf(score)}`} title={texts.value.peak(shown)}>
      {shown}
    </span>
  );
}
