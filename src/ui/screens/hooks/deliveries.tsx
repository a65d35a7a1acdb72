// Deliveries of one hook: read while they are shown, the last one in words, all with their attempts.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Problem } from "../../api/client.ts";
import { buildRoute } from "../../lib/route.ts";
import { DeliveryState } from "../../parts/anomalies/delivery-state.tsx";
import { Table } from "../../parts/table.tsx";
import { serverNow } from "../../state/clock.ts";
import { isFollowing, onChange } from "../../state/events.ts";
import { type HookDelivery, type HookOwner, listDeliveries, testHook } from "../../state/hooks.ts";
import { moments, texts } from "../../state/preferences.ts";

const POLL_MS = 10_000;
/** While events are on their way. */
const FAST_MS = 1000;
/** Steps of several deliveries come together. */
const BURST_MS = 200;
/** Newest deliveries shown at first. */
const SHOWN = 10;

/** Deliveries of a hook: read when the server announces a step, otherwise often while some are on their way. */
export function useDeliveries(model: HookOwner, hook: string) {
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
export function LastDelivery({ list }: { list: readonly HookDelivery[] }) {
  const { hooksPage: own } = texts.value;
  const delivery = list.find(({ attempts }) => attempts > 0) ?? list[0];
  if (!delivery) return <p class="quiet">{own.noDeliveries}</p>;
  return (
    <p>
      {own.last} <DeliveryState delivery={delivery} />
    </p>
  );
}

export function Deliveries({ model, list }: { model: HookOwner; list: readonly HookDelivery[] }) {
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
