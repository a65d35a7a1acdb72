// Schema of labels: ranges of a model that people marked.
import { Type } from "@sinclair/typebox";
import { LabelInput } from "../core/anomaly/stored-label.ts";
import { type Shown, seconds } from "./shown.ts";

const { anomaly, feature, note, series } = LabelInput.properties;

export const Label = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    from: seconds(),
    to: seconds("Seconds since the epoch, exclusive"),
    anomaly,
    feature,
    note,
    series,
    created_timestamp: seconds(),
  },
  { $id: "Label", description: "A range that counts like an anomaly with feedback" },
);
export type LabelView = Shown<typeof Label>;
