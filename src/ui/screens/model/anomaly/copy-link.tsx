// Link to an anomaly, copied; a field with it where pages may not write to the clipboard.
import { useSignal } from "@preact/signals";
import type { AnomalyView } from "../../../../api/anomaly.ts";
import { addressOfAnomaly } from "../../../lib/fleet.ts";
import { texts } from "../../../state/preferences.ts";

export function CopyLink({ anomaly }: { anomaly: Pick<AnomalyView, "id" | "model" | "series"> }) {
  const { detail: own, tokensCard } = texts.value;
  const state = useSignal<"copied" | "shown" | undefined>(undefined);
  const link = new URL(addressOfAnomaly(anomaly), location.href).href;
  const copy = async () => {
    // Absent on pages of plain HTTP.
    await navigator.clipboard?.writeText(link);
    state.value = navigator.clipboard ? "copied" : "shown";
  };
  const show = () => {
    state.value = "shown";
  };
  return (
    <span class="row">
      <span role="status">{state.value === "copied" ? tokensCard.copied : ""}</span>
      {state.value === "shown" && (
        <input
          readOnly
          value={link}
          aria-label={own.link}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      )}
      <button type="button" onClick={() => void copy().catch(show)}>
        {own.copyLink}
      </button>
    </span>
  );
}
