// Liveness and readiness, with one check per component.
import { Type } from "@sinclair/typebox";
import { optional } from "../../core/input/optional.ts";
import type { Shown } from "../shown.ts";

export const Liveness = Type.Object({ alive: Type.Boolean() }, { $id: "Liveness" });

const Check = Type.Object({ ok: Type.Boolean(), error: Type.Optional(Type.String()) });

export const Health = Type.Object(
  {
    ready: Type.Boolean(),
    error: optional.text("All failed checks; absent if none failed"),
    checks: Type.Object({
      storage: Check,
      live: Check,
      workers: Check,
      connections: Check,
      buckets: Check,
      cluster: Type.Optional(Check),
    }),
  },
  { $id: "Health" },
);
export type HealthView = Shown<typeof Health>;
