// Schema of recorded changes: deployments, configuration and the like.
import { Type } from "@sinclair/typebox";
import { ChangeId, changeProperties } from "../../core/changes/change.ts";
import { type Shown, seconds } from "../shown.ts";

export const Change = Type.Object(
  {
    id: ChangeId,
    at: seconds("When it began, seconds since the epoch"),
    end: Type.Optional(seconds("When it was complete; absent: at once")),
    ...changeProperties,
    created_timestamp: seconds("When it was recorded first, seconds since the epoch"),
  },
  { $id: "Change", description: "A deployment, a new configuration or the like" },
);
export type ChangeView = Shown<typeof Change>;
