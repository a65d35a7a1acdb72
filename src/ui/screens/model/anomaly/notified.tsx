// Who was notified of an anomaly, when, and how it went.
import type { AnomalyDetailView } from "../../../../api/anomaly.ts";
import { buildRoute } from "../../../lib/route.ts";
import { DeliveryState } from "../../../parts/anomalies/delivery-state.tsx";
import { serverNow } from "../../../state/clock.ts";
import { moments, texts } from "../../../state/preferences.ts";

export function Notified({ anomaly: { model, deliveries } }: { anomaly: AnomalyDetailView }) {
  const { detail: own, hooksPage } = texts.value;
  return (
    <>
      <h3>{own.notified}</h3>
      {deliveries.length === 0 && (
        <p class="quiet">
          {own.nobody} <a href={buildRoute(["models", model, "hooks"])}>{texts.value.hooks}</a>
        </p>
      )}
      <ul class="attention">
        {deliveries.map((delivery) => {
          const { id, hook, event, resend, created_timestamp: created } = delivery;
          const events: Readonly<Record<string, string>> = hooksPage.events;
          return (
            <li key={`${id}${resend ?? ""}`}>
              <b>{hook}</b>, {events[event] ?? event}, {moments.value.moment(created, serverNow())}:{" "}
              <DeliveryState delivery={delivery} />
            </li>
          );
        })}
      </ul>
    </>
  );
}
