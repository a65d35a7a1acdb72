// Inbox of anomalies: moved through, chosen and judged by keys, one or several at once, with a way back.
import { type Signal, useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { AnomalyView } from "../../../api/anomaly.ts";
import { rampOf } from "../../lib/lanes.ts";
import { buildRoute } from "../../lib/route.ts";
import { useAction } from "../../parts/action.ts";
import { describeAnomaly, describeLength } from "../../parts/describe.ts";
import { SeverityMark } from "../../parts/marks.tsx";
import { ProblemNote } from "../../parts/notes.tsx";
import { isTyping } from "../../parts/shell.tsx";
import { Verdict } from "../../parts/verdict.tsx";
import { judge, withdraw } from "../../state/anomalies.ts";
import { moments, texts } from "../../state/preferences.ts";
import { goTo } from "../../state/route.ts";
import { may } from "../../state/session.ts";

interface InboxProps {
  readonly list: readonly AnomalyView[];
  readonly onJudged: () => Promise<void>;
}

export function Inbox({ list, onJudged }: InboxProps) {
  const at = useSignal(0);
  const picked = useSignal<ReadonlySet<string>>(new Set());
  /** As they were before the last judgement. */
  const before = useSignal<readonly AnomalyView[]>([]);
  const action = useAction();
  const decide = async (anomalies: readonly AnomalyView[], verdict: boolean) => {
    const isDone = await action.run(() => Promise.all(anomalies.map((anomaly) => judge(anomaly, verdict))));
    if (isDone) before.value = anomalies;
    picked.value = new Set();
    await onJudged();
  };
  const undo = async () => {
    const restore = (anomaly: AnomalyView) =>
      anomaly.feedback ? judge(anomaly, anomaly.feedback.anomaly) : withdraw(anomaly);
    if (await action.run(() => Promise.all(before.value.map(restore)))) before.value = [];
    await onJudged();
  };
  const element = useRef<HTMLUListElement>(null);
  useInboxKeys({ list, at, picked, element, decide });
  const { count, undoJudged, keys } = texts.value.inbox;
  return (
    <section class="card inbox" aria-labelledby="inbox-title">
      <header class="card-head">
        <h2 id="inbox-title">{count(list.length)}</h2>
        <span class="quiet">{keys}</span>
      </header>
      {picked.value.size > 0 && (
        <PickedBar
          count={picked.value.size}
          onJudge={(verdict) => void decide(pickedOf(list, picked), verdict)}
          onClear={() => (picked.value = new Set())}
        />
      )}
      {before.value.length > 0 && (
        <p class="actions" role="status">
          {undoJudged.said(before.value.length)}
          <button type="button" onClick={() => void undo()}>
            {undoJudged.undo}
          </button>
        </p>
      )}
      {action.problem.value && <ProblemNote problem={action.problem.value} />}
      <ul class="episodes" ref={element}>
        {list.map((anomaly, i) => (
          <Row
            key={anomaly.id}
            anomaly={anomaly}
            isCurrent={i === at.value}
            picked={picked}
            onJudge={(verdict) => void decide([anomaly], verdict)}
          />
        ))}
      </ul>
    </section>
  );
}

const pickedOf = (list: readonly AnomalyView[], { value }: Signal<ReadonlySet<string>>) =>
  list.filter(({ id }) => value.has(id));

function toggle(picked: Signal<ReadonlySet<string>>, id: string): void {
  const next = new Set(picked.value);
  if (!next.delete(id)) next.add(id);
  picked.value = next;
}

interface BarProps {
  readonly count: number;
  readonly onJudge: (verdict: boolean) => void;
  readonly onClear: () => void;
}

function PickedBar({ count, onJudge, onClear }: BarProps) {
  const { yes, no, inbox } = texts.value;
  return (
    <p class="actions" role="status">
      {inbox.picked(count)}
      <button type="button" onClick={() => onJudge(true)}>
        {yes}
      </button>
      <button type="button" onClick={() => onJudge(false)}>
        {no}
      </button>
      <button type="button" onClick={onClear}>
        {inbox.unpick}
      </button>
    </p>
  );
}

interface RowProps {
  readonly anomaly: AnomalyView;
  readonly isCurrent: boolean;
  readonly picked: Signal<ReadonlySet<string>>;
  readonly onJudge: (verdict: boolean) => void;
}

function Row({ anomaly, isCurrent, picked, onJudge }: RowProps) {
  const { id, model, start, peak_score, severity } = anomaly;
  const moment = moments.value.moment(start, Date.now() / 1000);
  return (
    <li class={isCurrent ? "chosen" : ""}>
      <span>
        {may.value("run") && (
          <input
            type="checkbox"
            aria-label={texts.value.inbox.pick(model, moment)}
            checked={picked.value.has(id)}
            onChange={() => toggle(picked, id)}
          />
        )}
      </span>
      <span class={`peak ramp${rampOf(peak_score)}`} title={texts.value.peak(peak_score.toFixed(0))}>
        {peak_score.toFixed(0)}
      </span>
      <a href={buildRoute(["models", model], { at: id })}>{model}</a>
      <SeverityMark severity={severity} />
      <span>{moment}</span>
      <span class="quiet">{describeLength(anomaly)}</span>
      <span class="what">{describeAnomaly(anomaly)}</span>
      <Verdict anomaly={anomaly} onJudge={(_, verdict) => onJudge(verdict)} />
    </li>
  );
}

interface KeysOptions {
  readonly list: readonly AnomalyView[];
  readonly at: Signal<number>;
  readonly picked: Signal<ReadonlySet<string>>;
  readonly element: { readonly current: HTMLUListElement | null };
  readonly decide: (anomalies: readonly AnomalyView[], verdict: boolean) => Promise<void>;
}

/** J and K move, X chooses, Y and N judge what is chosen or the current one, Enter opens it. */
function useInboxKeys({ list, at, picked, element, decide }: KeysOptions): void {
  // With the rows, not after the next paint: a key pressed in between would be lost.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      const current = list[Math.min(at.value, list.length - 1)]!;
      const chosen = pickedOf(list, picked);
      const judged = chosen.length > 0 ? chosen : [current];
      const mayJudge = may.value("run");
      if (event.key === "j") at.value = Math.min(list.length - 1, at.value + 1);
      if (event.key === "k") at.value = Math.max(0, at.value - 1);
      if (event.key === "x" && mayJudge) toggle(picked, current.id);
      if (event.key === "y" && mayJudge) void decide(judged, true);
      if (event.key === "n" && mayJudge) void decide(judged, false);
      if (event.key === "Enter" && event.target === document.body)
        goTo(["models", current.model], { at: current.id });
      element.current?.children[at.value]?.scrollIntoView({ block: "nearest" });
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [list]);
}
