// Schema of the changes that may have caused an anomaly.
import { Type } from "@sinclair/typebox";
import { ChangeId, ChangeTags, changeProperties } from "../../core/changes/change.ts";
import { type Shown, seconds } from "../shown.ts";

const { kind, title, url } = changeProperties;

export const AttributedChange = Type.Object(
  {
    id: ChangeId,
    kind,
    title,
    url,
    at: seconds("When it began, seconds since the epoch"),
    delay: Type.Number({ description: "From then to the start of the anomaly, seconds" }),
    shared: { ...ChangeTags, description: "Its tags that the features or the series of the anomaly have" },
    history: Type.Object(
      {
        followed: Type.Integer({ description: "Those that an anomaly of the same model or series followed" }),
        of: Type.Integer({ description: "The last changes like it, up to 5 of the last 90 days" }),
      },
      { description: "Changes of the same kind that share the same tags" },
    ),
  },
  { $id: "AttributedChange", description: "A change before an anomaly, which may be its cause" },
);
export type AttributedChangeView = Shown<typeof AttributedChange>;
