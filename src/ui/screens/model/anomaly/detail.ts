// What the parts of the detail of an anomaly are given.
import type { AnomalyView } from "../../../../api/anomaly.ts";
import type { ModelView } from "../../../../api/model.ts";

export interface DetailProps {
  readonly model: ModelView;
  readonly id: string;
  /** As the chart has it, with the newest verdict; absent while it lies outside of the range. */
  readonly shown: AnomalyView | undefined;
  readonly refresh: () => Promise<void>;
  readonly onJudge: (anomaly: AnomalyView, verdict: boolean, note?: string) => Promise<void>;
}
