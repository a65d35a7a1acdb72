// Inbox of anomalies over all models: newest first, filtered, judged by keys.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { AnomalyView } from "../../api/anomaly.ts";
import { buildRoute } from "../lib/route.ts";
import { describeAnomaly, describeLength } from "../parts/describe.ts";
import { SeverityMark } from "../parts/marks.tsx";
import { Empty, Loading, ProblemNote } from "../parts/notes.tsx";
import { isTyping } from "../parts/shell.tsx";
import { Verdict } from "../parts/verdict.tsx";
import { judge, listAnomalies } from "../state/anomalies.ts";
import { models } from "../state/models.ts";
import { moments, texts } from "../state/preferences.ts";
import { createResource } from "../state/resource.ts";
import { goTo, route, setParams } from "../state/route.ts";
import { may } from "../state/session.ts";

const POLL_MS = 15_000;
const periods = [1, 7, 14, 30] as const;
const DEFAULT_DAYS = 14;
const MAX_ROWS = 500;

const daysOf = ({ days }: Readonly<Record<string, string>>) =>
  periods.find((period) => String(period) === days) ?? DEFAULT_DAYS;

const anomalies = createResource((signal) => listAnomalies(daysOf(route.value.params), signal));

export function Anomalies() {
  const { params } = route.value;
  const days = daysOf(params);
  useEffect(() => anomalies.follow(POLL_MS, ["anomaly"]), [days]);
  useEffect(() => models.follow(4 * POLL_MS, ["model"]), []);
  const { anomalies: title, keysOfList } = texts.value;
  const { value, problem } = anomalies.loaded.value;
  const shown = (value ?? [])
    .filter(({ end, feedback }) => (!params.open || end === null) && (!params.unjudged || !feedback))
    .slice(0, MAX_ROWS);
  return (
    <>
      <header class="head">
        <h1>{title}</h1>
        <Filters days={days} />
      </header>
      {!value && !problem && <Loading />}
      {problem && <ProblemNote problem={problem} again={() => void anomalies.refresh()} />}
      {value && shown.length === 0 && <NothingOdd days={days} />}
      {shown.length > 0 && <Inbox list={shown} />}
      {shown.length > 0 && <p class="quiet">{keysOfList}</p>}
    </>
  );
}

function Filters({ days }: { days: number }) {
  const { period, days: nameDays, onlyOpen, onlyUnjudged } = texts.value;
  const { params } = route.value;
  const toggle = (key: "open" | "unjudged", label: string) => (
    <label class="check">
      <input
        type="checkbox"
        checked={params[key] !== undefined}
        onChange={({ currentTarget }) => setParams({ [key]: currentTarget.checked ? "1" : undefined })}
      />{" "}
      {label}
    </label>
  );
  return (
    <div class="filters">
      <label>
        {period}{" "}
        <select
          value={String(days)}
          onChange={({ currentTarget }) => setParams({ days: currentTarget.value })}
        >
          {periods.map((count) => (
            <option key={count} value={String(count)}>
              {nameDays(count)}
            </option>
          ))}
        </select>
      </label>
      {toggle("open", onlyOpen)}
      {toggle("unjudged", onlyUnjudged)}
    </div>
  );
}

function NothingOdd({ days }: { days: number }) {
  const { nothingOdd, watching } = texts.value;
  const live = models.loaded.value.value?.filter(({ live }) => live).length ?? 0;
  return (
    <Empty>
      <p>{nothingOdd(days)}</p>
      <p>{watching(live)}</p>
    </Empty>
  );
}

function Inbox({ list }: { list: readonly AnomalyView[] }) {
  const at = useSignal(0);
  const element = useRef<HTMLUListElement>(null);
  const decide = async (anomaly: AnomalyView, verdict: boolean) => {
    await judge(anomaly, verdict);
    await anomalies.refresh();
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      const anomaly = list[Math.min(at.value, list.length - 1)]!;
      if (event.key === "j") at.value = Math.min(list.length - 1, at.value + 1);
      if (event.key === "k") at.value = Math.max(0, at.value - 1);
      if (event.key === "y" && may.value("run")) void decide(anomaly, true);
      if (event.key === "n" && may.value("run")) void decide(anomaly, false);
      if (event.key === "Enter" && event.target === document.body)
        goTo(["models", anomaly.model], { at: anomaly.id });
      element.current?.children[at.value]?.scrollIntoView({ block: "nearest" });
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [list]);
  const { peak } = texts.value;
  const now = Date.now() / 1000;
  return (
    <ul class="card episodes" ref={element}>
      {list.map((anomaly, i) => (
        <li key={anomaly.id} class={i === at.value ? "chosen" : ""}>
          <a href={buildRoute(["models", anomaly.model], { at: anomaly.id })}>{anomaly.model}</a>
          <SeverityMark severity={anomaly.severity} />
          <span>{describeAnomaly(anomaly)}</span>
          <span class="quiet">
            {moments.value.moment(anomaly.start, now)}, {describeLength(anomaly)},{" "}
            {peak(anomaly.peak_score.toFixed(0))}
          </span>
          <Verdict anomaly={anomaly} onJudge={(judged, verdict) => void decide(judged, verdict)} />
        </li>
      ))}
    </ul>
  );
}
