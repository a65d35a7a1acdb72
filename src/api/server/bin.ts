// Schemas of the bin: deleted resources that can be restored.
import { Type } from "@sinclair/typebox";
import { resourceKinds } from "../../core/apply/kinds.ts";
import { optional } from "../../core/input/optional.ts";
import { oneOfWords } from "../../core/input/words.ts";
import { type Shown, seconds } from "../shown.ts";

const kind = oneOfWords(resourceKinds);
const name = Type.String();
const model = optional.text("Of a hook; absent: it was a global one");

export const BinEntry = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    kind,
    name,
    model,
    deleted_date: Type.String({ format: "date-time" }),
    deleted_timestamp: seconds("Seconds since the epoch; the same for what one request has deleted"),
    deleted_by: optional.text("Name of the token"),
    expires_date: Type.String({ format: "date-time" }),
    expires_timestamp: seconds("When it is deleted for good, seconds since the epoch"),
    bytes: Type.Integer({ description: "What it holds, weights and points included" }),
  },
  { $id: "BinEntry", description: "A deleted resource that can be restored" },
);
export type BinEntryView = Shown<typeof BinEntry>;

export const Restored = Type.Object(
  {
    kind,
    name,
    model,
    live: Type.Optional(Type.Literal(true, { description: "The model is live again" })),
    note: optional.text("What did not come back"),
  },
  { $id: "Restored" },
);
export type RestoredView = Shown<typeof Restored>;
