// Incidents in progress, worst first: a picture, a sentence, what moved with it, and its judgement.
import type { AnomalyView } from "../../../api/anomaly.ts";
import type { NowView } from "../../../api/server/now.ts";
import { groupIncidents, type Incident, modelsOf, spanOfIncident } from "../../../core/report/incidents.ts";
import { addressOfAnomaly } from "../../lib/fleet.ts";
import { formatAge, rarityOf } from "../../lib/format.ts";
import { buildRoute } from "../../lib/route.ts";
import { describeAnomaly, describeSubject } from "../../parts/anomalies/describe.ts";
import { Verdict } from "../../parts/anomalies/verdict.tsx";
import { SeverityMark } from "../../parts/marks.tsx";
import { Spark } from "../../parts/pictures/spark.tsx";
import { useAnswer } from "../../parts/use-answer.ts";
import { readSpark } from "../../state/anomalies/now.ts";
import { serverNow } from "../../state/clock.ts";
import { language, moments, texts } from "../../state/preferences.ts";

/** Incidents with a picture, each of which is a request. */
const SHOWN = 12;
/** Members that are named. */
const NAMED = 6;

interface UnusualProps {
  readonly view: NowView;
  readonly onJudge: (anomalies: readonly AnomalyView[], verdict: boolean) => void;
}

export function Unusual({ view: { anomalies, states, unjudged }, onJudge }: UnusualProps) {
  const { nowPage: own } = texts.value;
  const incidents = groupIncidents(anomalies.list);
  return (
    <section class="card" aria-labelledby="unusual">
      <header class="card-head">
        <h2 id="unusual">{own.unusual}</h2>
        {incidents.length > SHOWN && (
          <a href={buildRoute(["anomalies"], { open: "1" })}>{own.all(anomalies.total)}</a>
        )}
      </header>
      {incidents.length === 0 && <Calm states={states} newest={unjudged.list[0]} />}
      <ul class="incidents">
        {incidents.slice(0, SHOWN).map((incident) => (
          <IncidentItem key={incident.members[0]!.id} incident={incident} onJudge={onJudge} />
        ))}
      </ul>
    </section>
  );
}

/** Nothing is odd: how many watch, and what was the last. */
function Calm({ states, newest }: { states: NowView["states"]; newest: AnomalyView | undefined }) {
  const { nowPage: own, ago } = texts.value;
  const isWatched = (states.live ?? 0) + (states.learning ?? 0) > 0;
  return (
    <div class="calm">
      <p>
        {isWatched && (
          <span class="state live" aria-hidden="true">
            ●{" "}
          </span>
        )}
        {isWatched ? own.nothing : states.training ? own.trained : own.nobody}
      </p>
      {newest && newest.end !== null && (
        <p class="quiet">
          {own.last}{" "}
          <a href={addressOfAnomaly(newest)}>
            {newest.model}, {ago(formatAge(serverNow() - newest.end))}
          </a>
        </p>
      )}
    </div>
  );
}

interface ItemProps extends Pick<UnusualProps, "onJudge"> {
  readonly incident: Incident<AnomalyView>;
}

function IncidentItem({ incident, onJudge }: ItemProps) {
  const { nowPage: own, since } = texts.value;
  const { members, tag } = incident;
  const worst = members[0]!;
  const { start } = spanOfIncident(incident);
  const spark = useAnswer(worst.id, (signal) => readSpark(worst, signal));
  const at = serverNow();
  return (
    <li>
      <Spark data={spark.value} marked={worst} />
      <div>
        <p class="title">
          <SeverityMark severity={worst.severity} />{" "}
          <a href={addressOfAnomaly(worst)}>{tag ?? worst.model}</a>{" "}
          <span class="quiet">{tag === undefined ? describeSubject(worst) : worst.model}</span>
        </p>
        <p>
          {describeAnomaly(worst)}
          {worst.peak_rarity !== undefined && (
            <span class="quiet">. {own.rare(rarityOf(worst.peak_rarity, language.value))}</span>
          )}
        </p>
        <p class="quiet">
          {since(moments.value.moment(start, at))}, {formatAge(at - start)}
        </p>
        {members.length > 1 && <Members incident={incident} />}
        <Verdict
          hasKeys={false}
          given={worst.feedback?.anomaly}
          onJudge={(verdict) => onJudge(members, verdict)}
        />
      </div>
    </li>
  );
}

/** What moved with it, each once. */
function Members({ incident }: { incident: Incident<AnomalyView> }) {
  const { nowPage: own } = texts.value;
  const names = modelsOf(incident);
  const firsts = names.map((name) => incident.members.find(({ model }) => model === name)!).slice(1);
  return (
    <p class="quiet">
      {own.together}{" "}
      {firsts.slice(0, NAMED).map((member, i) => (
        <span key={member.id}>
          {i > 0 && ", "}
          <a href={addressOfAnomaly(member)}>{member.model}</a>
        </span>
      ))}
      {firsts.length > NAMED && ` ${own.more(firsts.length - NAMED)}`}
    </p>
  );
}
