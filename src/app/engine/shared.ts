// Services and settings that the components of the engine share.
import type { OpenContext } from "../../buckets/kind.ts";
import type { Ownership } from "../../core/ownership.ts";
import type { Queue, QueueNode } from "../../jobs/queue/queue.ts";
import type { Pool } from "../../jobs/workers/pool.ts";
import type { ModelKind } from "../../models/kind.ts";
import type { PlanDeps } from "../../resources/models/plan.ts";
import type { ExternalUrl } from "../../resources/server/external-url.ts";
import type { Limits } from "../../resources/shared/range.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Store } from "../../store/db/open.ts";
import type { NodeState } from "../../store/postgres/nodes.ts";
import type { createActivityLog } from "../../telemetry/activity-log.ts";
import type { Log } from "../../telemetry/log.ts";
import type { Meter } from "../../telemetry/meter.ts";
import type { CurrentSettings } from "../delivery.ts";
import type { Lifecycle } from "../lifecycle.ts";

export interface EngineDeps {
  readonly store: Store;
  readonly log: Log;
  readonly lifecycle: Lifecycle;
  readonly meter: Meter;
  readonly ownership: Ownership;
  readonly externalUrl: ExternalUrl;
  readonly judgementKey: string;
  /** The node, where others share the database. */
  readonly queueNode?: QueueNode;
  /** State of the node, where others share the database. */
  readonly nodeState?: () => NodeState;
}

/** Shared by the components; `openBucket` and `onEvents` refer to components that are created later. */
export interface Shared extends EngineDeps, PlanDeps {
  readonly current: CurrentSettings;
  readonly clock: Clock;
  readonly limits: Limits;
  /** How long deleted resources can be restored, ms. */
  readonly binMs: () => number;
  readonly activity: ReturnType<typeof createActivityLog>;
  readonly kind: ModelKind;
  readonly pool: Pool;
  readonly queue: Queue;
  /** Where buckets and backups have their files. */
  readonly context: OpenContext;
  /** Called after events were put into the outbox. */
  readonly onEvents: () => void;
}
