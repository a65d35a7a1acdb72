// Dependencies of the routes: resources and services of the server.
import type { Advice } from "../../resources/advice.ts";
import type { Anomalies } from "../../resources/anomalies.ts";
import type { Apply } from "../../resources/apply/index.ts";
import type { Backtests } from "../../resources/backtests/index.ts";
import type { Bin } from "../../resources/bin/index.ts";
import type { Buckets } from "../../resources/buckets/index.ts";
import type { Budgets } from "../../resources/budgets.ts";
import type { Calendars } from "../../resources/calendars/index.ts";
import type { Capacity } from "../../resources/capacity.ts";
import type { Changes } from "../../resources/changes.ts";
import type { Deliveries } from "../../resources/deliveries.ts";
import type { AzureDetections } from "../../resources/detections/azure.ts";
import type { BucketDetections } from "../../resources/detections/bucket-detections.ts";
import type { Detections } from "../../resources/detections/index.ts";
import type { Events } from "../../resources/events/index.ts";
import type { FoundChanges } from "../../resources/found-changes/index.ts";
import type { Hooks } from "../../resources/hooks/index.ts";
import type { Jobs } from "../../resources/jobs/index.ts";
import type { Judgements } from "../../resources/judgements/index.ts";
import type { Labels } from "../../resources/labels.ts";
import type { Lines } from "../../resources/lines.ts";
import type { Live } from "../../resources/live/index.ts";
import type { ModelMetrics } from "../../resources/live/model-metrics.ts";
import type { ModelTransfer } from "../../resources/model-transfer.ts";
import type { Models } from "../../resources/models/index.ts";
import type { Now } from "../../resources/now.ts";
import type { Promql } from "../../resources/promql/promql.ts";
import type { Otlp } from "../../resources/receivers/otlp/index.ts";
import type { RemoteWrite } from "../../resources/receivers/remote-write/index.ts";
import type { Related } from "../../resources/related/index.ts";
import type { RelatedScans } from "../../resources/related/scans.ts";
import type { Reports } from "../../resources/report/index.ts";
import type { ScheduledJobs } from "../../resources/scheduled-jobs.ts";
import type { FleetSeries } from "../../resources/series/fleet.ts";
import type { Series } from "../../resources/series/index.ts";
import type { Backup } from "../../resources/server/backup.ts";
import type { ClusterNodes } from "../../resources/server/cluster.ts";
import type { Health } from "../../resources/server/health.ts";
import type { Session } from "../../resources/server/session.ts";
import type { Templates } from "../../resources/templates/index.ts";
import type { TemplateMigration } from "../../resources/templates/migration.ts";
import type { Tokens } from "../../resources/tokens/index.ts";
import type { Log } from "../../telemetry/log.ts";
import type { Meter } from "../../telemetry/meter.ts";
import type { Auth } from "./auth.ts";
import type { BodyLimits } from "./body.ts";
import type { Hosts } from "./hosts.ts";

/** Identity of this server. */
export interface NodeInfo {
  readonly hostId: string;
  readonly name: string;
  readonly clusterName: string;
  readonly version: string;
  /** Listen address. */
  address(): { readonly host: string; readonly port: number };
}

/** A file of the dashboard. */
export interface UiFile {
  /** Media type. */
  readonly type: string;
  readonly gzip: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  /** Whether another content has another name, so that clients may keep it. */
  readonly isNamedByContent: boolean;
}

export interface UiFiles {
  /** @param name empty: the page */
  find(name: string): Promise<UiFile | undefined>;
}

/** What the API shows and changes, by noun. */
export interface Resources {
  readonly advice: Advice;
  readonly anomalies: Anomalies;
  readonly apply: Apply;
  readonly azureDetections: AzureDetections;
  readonly backtests: Backtests;
  readonly bin: Bin;
  readonly bucketDetections: BucketDetections;
  readonly buckets: Buckets;
  readonly calendars: Calendars;
  readonly changes: Changes;
  readonly foundChanges: FoundChanges;
  readonly clusterNodes: ClusterNodes;
  readonly deliveries: Deliveries;
  readonly detections: Detections;
  readonly events: Events;
  readonly fleetSeries: FleetSeries;
  readonly hooks: Hooks;
  readonly jobs: Jobs;
  readonly judgements: Judgements;
  readonly labels: Labels;
  readonly lines: Lines;
  readonly live: Live;
  readonly modelMetrics: ModelMetrics;
  readonly modelTransfer: ModelTransfer;
  readonly models: Models;
  readonly capacity: Capacity;
  readonly budgets: Budgets;
  readonly now: Now;
  readonly otlp: Otlp;
  readonly promql: Promql;
  readonly related: Related;
  readonly relatedScans: RelatedScans;
  readonly remoteWrite: RemoteWrite;
  readonly reports: Reports;
  readonly scheduledJobs: ScheduledJobs;
  readonly series: Series;
  readonly session: Session;
  readonly templateMigration: TemplateMigration;
  readonly templates: Templates;
  readonly tokens: Tokens;
}

export interface AppDeps extends Resources {
  /** Absent: `server.ui` is off. */
  readonly ui?: UiFiles | undefined;
  readonly auth: Pick<Auth, "identify" | "clientOf">;
  readonly hosts: Pick<Hosts, "check">;
  /** Origins whose pages may use the API. */
  readonly cors: readonly string[];
  readonly backup: Backup;
  readonly health: { check(): Promise<Health> };
  readonly meter: Pick<Meter, "onAnswer" | "onMcpCall" | "render" | "contentType">;
  readonly node: NodeInfo;
  /** Stores the address of this server for people. @throws TorusError `invalid`, `not_supported` */
  readonly putExternalUrl: (body: unknown) => Promise<void>;
  /** Whether the listener uses TLS. */
  readonly tls: boolean;
  /** `max-age` of Strict-Transport-Security over TLS (RFC 6797); 0: no such header. */
  readonly hstsSeconds: number;
  readonly limits: BodyLimits & { readonly deadlineMs: number };
  readonly log: Log;
  /** Disables the idle timeout of the connection for a request with a slow answer. */
  readonly holdOpen: (request: Request) => void;
}
