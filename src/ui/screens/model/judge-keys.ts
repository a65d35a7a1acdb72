// Keys of a list of anomalies: Y and N judge the chosen one.
import { useLayoutEffect } from "preact/hooks";
import type { AnomalyView } from "../../../api/anomaly.ts";
import { isTyping } from "../../parts/shell.tsx";

/** @param chosen id; without it the keys do nothing */
export function useJudgeKeys(
  anomalies: readonly AnomalyView[] | undefined,
  chosen: string | undefined,
  onJudge: (anomaly: AnomalyView, verdict: boolean) => Promise<void>,
): void {
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const anomaly = anomalies?.find(({ id }) => id === chosen);
      if (!anomaly || isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "y") void onJudge(anomaly, true);
      if (event.key === "n") void onJudge(anomaly, false);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [anomalies, chosen]);
}
