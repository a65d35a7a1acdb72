// Schema of the health checks.
import { Type } from "@sinclair/typebox";
import type { Shown } from "./shown.ts";

const Check = Type.Object({ ok: Type.Boolean(), error: Type.Optional(Type.String()) });

export const Health = Type.Object(
  {
    ready: Type.Boolean(),
    error: Type.Optional(Type.String({ description: "All failed checks; absent if none failed" })),
    checks: Type.Object({ storage: Check, live: Check, workers: Check, connections: Check }),
  },
  { $id: "Health" },
);
export type HealthView = Shown<typeof Health>;
