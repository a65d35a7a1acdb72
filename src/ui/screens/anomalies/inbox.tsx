// Inbox of incidents and anomalies: moved through, chosen and judged by keys, one or several at once, with a way back.
import { type Signal, useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { AnomalyView } from "../../../api/anomaly.ts";
import type { Incident } from "../../../core/report/incidents.ts";
import { addressOfAnomaly } from "../../lib/fleet.ts";
import { useAction } from "../../parts/action.ts";
import { ProblemNote } from "../../parts/notes.tsx";
import { isTyping } from "../../parts/shell.tsx";
import { judge, withdraw } from "../../state/anomalies/anomalies.ts";
import { texts } from "../../state/preferences.ts";
import { may } from "../../state/session.ts";
import { type InboxActions, keyOf, Row } from "./row.tsx";

interface InboxProps {
  readonly list: readonly Incident<AnomalyView>[];
  /** Anomalies on all pages. */
  readonly total: number;
  readonly onJudged: () => Promise<void>;
}

export function Inbox({ list, total, onJudged }: InboxProps) {
  const at = useSignal(0);
  const opened = useSignal<ReadonlySet<string>>(new Set());
  const { picked, before, action, decide, undo } = useDecisions(onJudged);
  const element = useRef<HTMLUListElement>(null);
  const actions: InboxActions = {
    picked: picked.value,
    opened: opened.value,
    onPick: (anomalies) =>
      toggle(
        picked,
        anomalies.map(({ id }) => id),
      ),
    onOpen: (incident) => toggle(opened, [keyOf(incident)]),
    onJudge: (anomalies, verdict) => void decide(anomalies, verdict),
  };
  const anomalies = list.flatMap(({ members }) => members);
  useInboxKeys({ list, at, element, actions });
  const { count, undoJudged, keys } = texts.value.inbox;
  return (
    <section class="card inbox" aria-labelledby="inbox-title">
      <header class="card-head">
        <h2 id="inbox-title">{count(total)}</h2>
        <span class="quiet by-keys">{keys}</span>
      </header>
      {picked.value.size > 0 && (
        <PickedBar
          count={picked.value.size}
          onJudge={(verdict) => void decide(pickedOf(anomalies, picked.value), verdict)}
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
        {list.map((incident, i) => (
          <Row key={keyOf(incident)} incident={incident} isCurrent={i === at.value} {...actions} />
        ))}
      </ul>
    </section>
  );
}

/** What is picked is judged together; the last judgement can be taken back. */
function useDecisions(onJudged: () => Promise<void>) {
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
  return { picked, before, action, decide, undo };
}

const pickedOf = (list: readonly AnomalyView[], picked: ReadonlySet<string>) =>
  list.filter(({ id }) => picked.has(id));

/** Removes all where all are in the set, and adds them otherwise. */
function toggle(set: Signal<ReadonlySet<string>>, keys: readonly string[]): void {
  const own = new Set(keys);
  set.value = own.isSubsetOf(set.value) ? set.value.difference(own) : set.value.union(own);
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

interface KeysOptions {
  readonly list: readonly Incident<AnomalyView>[];
  readonly at: Signal<number>;
  readonly element: { readonly current: HTMLUListElement | null };
  readonly actions: InboxActions;
}

/** J and K move, X chooses, Y and N judge what is chosen or the current one, Enter opens it. */
function useInboxKeys({ list, at, element, actions }: KeysOptions): void {
  // With the rows, not after the next paint: a key pressed in between would be lost.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      const current = list[Math.min(at.value, list.length - 1)]!;
      const { members } = current;
      const chosen = pickedOf(
        list.flatMap((each) => each.members),
        actions.picked,
      );
      const judged = chosen.length > 0 ? chosen : members;
      const mayJudge = may.value("run");
      if (event.key === "j") at.value = Math.min(list.length - 1, at.value + 1);
      if (event.key === "k") at.value = Math.max(0, at.value - 1);
      if (event.key === "x" && mayJudge) actions.onPick(members);
      if (event.key === "y" && mayJudge) actions.onJudge(judged, true);
      if (event.key === "n" && mayJudge) actions.onJudge(judged, false);
      if (event.key === "Enter" && event.target === document.body) {
        if (members.length > 1) actions.onOpen(current);
        else location.hash = addressOfAnomaly(members[0]!);
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [list, actions]);
  useLayoutEffect(() => {
    element.current?.querySelector("[data-row=true]")?.scrollIntoView({ block: "nearest" });
  }, [at.value]);
}
