// Schema of false alarms: the expected rate of a model or a series beside the rate of its anomalies.
import { Type } from "@sinclair/typebox";
import type { Shown } from "./shown.ts";

const aWeek = (description: string) => Type.Number({ description });

export const FalseAlarms = Type.Object(
  {
    asked: aWeek(
      "Anomalies a week of normal data that `max_threshold` stands for; of a fleet those of all series it scores",
    ),
    seen: aWeek("Anomalies a week that live detection raised in the last `weeks`, true ones included"),
    judged_true: aWeek("Those of them that feedback calls an anomaly"),
    judged_false: aWeek("Those of them that feedback calls a false alarm"),
    weeks: Type.Number({
      description: "Weeks of live detection that count: four at most, fewer where they have 1000 anomalies",
    }),
  },
  {
    $id: "FalseAlarms",
    description: "After two weeks of live detection: anomalies a week. Absent in lists",
  },
);
export type FalseAlarmsView = Shown<typeof FalseAlarms>;
