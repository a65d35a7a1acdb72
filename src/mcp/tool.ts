// A tool of the assistant interface: its arguments as a schema, the scope it needs, its effect, and the work itself.
import type { Static, TObject } from "@sinclair/typebox";
import type { Scope } from "../core/access/token.ts";
import type { Anomalies } from "../resources/anomalies.ts";
import type { Buckets } from "../resources/buckets/index.ts";
import type { Budgets } from "../resources/budgets.ts";
import type { Capacity } from "../resources/capacity.ts";
import type { Changes } from "../resources/changes.ts";
import type { Detections } from "../resources/detections/index.ts";
import type { Jobs } from "../resources/jobs/index.ts";
import type { Live } from "../resources/live/index.ts";
import type { Models } from "../resources/models/index.ts";
import type { Related } from "../resources/related/index.ts";
import type { Reports } from "../resources/report/index.ts";

/** The operations that tools call. */
export interface ToolResources {
  readonly anomalies: Pick<Anomalies, "list" | "get" | "judge">;
  readonly buckets: Pick<Buckets, "list" | "read" | "explore">;
  readonly budgets: Pick<Budgets, "list">;
  readonly capacity: Pick<Capacity, "list">;
  readonly changes: Pick<Changes, "list">;
  readonly detections: Pick<Detections, "detect">;
  readonly jobs: Pick<Jobs, "wait" | "follow">;
  readonly live: Pick<Live, "startAll" | "stopAll">;
  readonly models: Pick<Models, "list" | "get" | "create" | "patch" | "trainAll" | "forecast">;
  readonly related: Pick<Related, "ofAnomaly" | "inRange">;
  readonly reports: Pick<Reports, "render">;
}

export interface ToolContext extends ToolResources {
  /** Longest wait for a job, ms. */
  readonly deadlineMs: number;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

export interface ToolResult {
  /** The outcome in some sentences, with its numbers. */
  readonly summary: string;
  /** The same for programs: JSON. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** What a call changes: nothing; it adds or repeats; it takes something away that others rely on. */
export type Effect = "none" | "adds" | "takes";

export interface Tool<S extends TObject = TObject> {
  /** In snake_case. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly scope: Scope;
  readonly effect: Effect;
  /** Whether a second call with the same arguments changes nothing more. */
  readonly isIdempotent: boolean;
  readonly input: S;
  /** Whether the resource checks the arguments, with better messages. */
  readonly isCheckedByResource?: boolean;
  /** @throws TorusError */
  run(input: Static<S>, context: ToolContext): Promise<ToolResult>;
}

/** A tool of any arguments; they are checked against its schema before it runs. */
export function defineTool<S extends TObject>(tool: Tool<S>): Tool {
  return tool as unknown as Tool;
}
