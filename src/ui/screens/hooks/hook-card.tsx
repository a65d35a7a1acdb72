// One hook: kind, target, the state of its last delivery, a test, and its deliveries with their attempts.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { hookTarget } from "../../../core/anomaly/hook-target.ts";
import { Problem } from "../../api/client.ts";
import { buildRoute } from "../../lib/route.ts";
import { DeliveryState } from "../../parts/anomalies/delivery-state.tsx";
import { DeleteButton } from "../../parts/delete-button.tsx";
import { readHookDraft } from "../../parts/form/hook-fields.tsx";
import { Table } from "../../parts/table.tsx";
import { serverNow } from "../../state/clock.ts";
import { isFollowing, onChange } from "../../state/events.ts";
import {
  type HookDelivery,
  type HookOwner,
  type HookSettings,
  listDeliveries,
  removeHook,
  testHook,
} from "../../state/hooks.ts";
import { kinds } from "../../state/kinds.ts";
import { moments, texts } from "../../state/preferences.ts";
import { may } from "../../state/session.ts";
import { HookForm } from "./hook-form.tsx";
import { MutedUntil, MuteHook, stateOfHook } from "./mute-hook.tsx";
import { PreviewButton } from "./preview-button.tsx";

const POLL_MS = 10_000;
/** While events are on their way. */
const FAST_MS = 1000;
/** Steps of several deliveries come together. */
const BURST_MS = 200;
/** Newest deliveries shown at first. */
const SHOWN = 10;

interface CardProps {
  /** Undefined: the hook is a global one. */
  readonly model: HookOwner;
  readonly hook: HookSettings;
  /** What a global hook selects. */
  readonly selected?: string;
  readonly onChange: () => void;
}

export function HookCard({ model, hook, selected, onChange }: CardProps) {
  const { hooksPage: own } = texts.value;
  const { name, type, config } = hook;
  const isEdited = useSignal(false);
  const { deliveries, problem, test } = useDeliveries(model, name);
  if (isEdited.value && kinds.loaded.value.value)
    return (
      <HookForm
        model={model}
        initial={readHookDraft(hook)}
        onDone={() => {
          isEdited.value = false;
          onChange();
        }}
        onCancel={() => (isEdited.value = false)}
      />
    );
  return (
    <section class="card" aria-label={name}>
      <header class="head">
        <h2>{name}</h2>
        <span class="tag">{type}</span>
        <span class="quiet">{hookTarget(config) || own.hiddenTarget}</span>
        {selected && <span>{selected}</span>}
        <MutedUntil hook={stateOfHook(model, name)} />
        <span class="row right">
          {model === undefined && <PreviewButton name={name} />}
          {may.value("run") && (
            <button type="button" aria-label={own.testOf(name)} onClick={() => void test()}>
              {own.test}
            </button>
          )}
          {may.value("admin") && (
            <>
              <MuteHook model={model} hook={hook} onChange={onChange} />
              <button type="button" aria-label={own.changeOf(name)} onClick={() => (isEdited.value = true)}>
                {own.change}
              </button>
              <DeleteButton
                name={name}
                warning={own.deleteWarning}
                onDelete={async () => {
                  await removeHook(model, name, onChange);
                  onChange();
                }}
              />
            </>
          )}
        </span>
      </header>
      <div role="status">
        {problem && <p class="bad">{problem.message || texts.value.unreachable}</p>}
        {deliveries && <LastDelivery delivery={lastTried(deliveries)} />}
      </div>
      {deliveries && deliveries.length > 0 && <Deliveries model={model} list={deliveries} />}
    </section>
  );
}

/** Deliveries of a hook: read when the server announces a step, otherwise often while some are on their way. */
function useDeliveries(model: HookOwner, hook: string) {
  const deliveries = useSignal<readonly HookDelivery[] | undefined>(undefined);
  const problem = useSignal<Problem | undefined>(undefined);
  const round = useSignal(0);
  const isMoving = deliveries.value?.some(({ state, error }) => state === "waiting" && !error) ?? false;
  useEffect(() => {
    const ending = new AbortController();
    const read = () => {
      if (document.hidden) return;
      listDeliveries(model, hook, ending.signal).then(
        (list) => {
          deliveries.value = list;
          problem.value = undefined;
        },
        (error) => {
          if (ending.signal.aborted) return;
          if (!(error instanceof Problem)) throw error;
          problem.value = error;
        },
      );
    };
    read();
    const timer = setInterval(() => !isFollowing.value && read(), isMoving ? FAST_MS : POLL_MS);
    let soon: ReturnType<typeof setTimeout> | undefined;
    const readSoon = () => {
      clearTimeout(soon);
      soon = setTimeout(read, BURST_MS);
    };
    const leave = onChange(["delivery"], readSoon, model);
    return () => {
      leave();
      clearTimeout(soon);
      clearInterval(timer);
      ending.abort();
    };
  }, [model, hook, isMoving, round.value]);
  const test = async () => {
    try {
      await testHook(model, hook);
      round.value++;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      problem.value = error;
    }
  };
  return { deliveries: deliveries.value, problem: problem.value, test };
}

/** The newest one that was attempted; later ones wait behind it. */
function lastTried(list: readonly HookDelivery[]): HookDelivery | undefined {
  return list.find(({ attempts }) => attempts > 0) ?? list[0];
}

function LastDelivery({ delivery }: { delivery: HookDelivery | undefined }) {
  const { hooksPage: own } = texts.value;
  if (!delivery) return <p class="quiet">{own.noDeliveries}</p>;
  return (
    <p>
      {own.last} <DeliveryState delivery={delivery} />
    </p>
  );
}

function Deliveries({ model, list }: { model: HookOwner; list: readonly HookDelivery[] }) {
  const { hooksPage: own } = texts.value;
  const isAll = useSignal(false);
  const shown = isAll.value ? list : list.slice(0, SHOWN);
  return (
    <details>
      <summary>{own.deliveries(list.length)}</summary>
      <Table titles={Object.values(own.columns)}>
        {shown.map((delivery) => (
          <Delivery
            key={`${delivery.id}${delivery.resend ?? ""}`}
            model={model ?? delivery.model ?? ""}
            delivery={delivery}
          />
        ))}
      </Table>
      {shown.length < list.length && (
        <button type="button" onClick={() => (isAll.value = true)}>
          {`+ ${list.length - shown.length}`}
        </button>
      )}
    </details>
  );
}

function Delivery({ model, delivery }: { model: string; delivery: HookDelivery }) {
  const { hooksPage: own } = texts.value;
  const { event, test, anomaly, resend, created_timestamp: created } = delivery;
  const label = own.events[event as keyof typeof own.events] ?? event;
  return (
    <tr>
      <th scope="row">
        {test ? own.testEvent(label) : <a href={buildRoute(["models", model], { at: anomaly })}>{label}</a>}
        {resend && <small>{own.resent}</small>}
      </th>
      <td>{moments.value.moment(created, serverNow())}</td>
      <td>
        <DeliveryState delivery={delivery} />
      </td>
    </tr>
  );
}
