// Components of points and scores: reading, judging and receiving them.
import { onLane } from "../../jobs/workers/pool.ts";
import { Anomalies } from "../../resources/anomalies.ts";
import { Backtests } from "../../resources/backtests/index.ts";
import { Budgets } from "../../resources/budgets.ts";
import { Capacity } from "../../resources/capacity.ts";
import { Changes } from "../../resources/changes.ts";
import { Deliveries } from "../../resources/deliveries.ts";
import { AzureDetections } from "../../resources/detections/azure.ts";
import { BucketDetections } from "../../resources/detections/bucket-detections.ts";
import { Detections } from "../../resources/detections/index.ts";
import { FoundChanges } from "../../resources/found-changes/index.ts";
import { Labels } from "../../resources/labels.ts";
import { Lines } from "../../resources/lines.ts";
import { ModelMetrics } from "../../resources/live/model-metrics.ts";
import { Promql } from "../../resources/promql/promql.ts";
import { Otlp } from "../../resources/receivers/otlp/index.ts";
import type { PushDeps } from "../../resources/receivers/push.ts";
import { RemoteWrite } from "../../resources/receivers/remote-write/index.ts";
import { Subscriptions } from "../../resources/receivers/subscriptions.ts";
import { Related } from "../../resources/related/index.ts";
import { RelatedScans } from "../../resources/related/scans.ts";
import { FleetSeries } from "../../resources/series/fleet.ts";
import { Series } from "../../resources/series/index.ts";
import type { Shared } from "./shared.ts";

/** Anomalies, line protocol, backtests, series of models, and detections of points in a request. */
export function createDataResources(shared: Shared) {
  const { openBucket, clock, pool, meter, log } = shared;
  return {
    anomalies: new Anomalies(shared),
    changes: new Changes({ ...shared, githubSecret: () => shared.current.value.githubSecret }),
    foundChanges: new FoundChanges(shared),
    lines: new Lines({ openBucket, clock, onReceived: meter.onReceived }),
    backtests: new Backtests(shared),
    detections: new Detections(shared),
    azureDetections: new AzureDetections(shared),
    series: new Series({ ...shared, compute: onLane(pool, "prediction") }),
    modelMetrics: new ModelMetrics(shared),
    promql: new Promql({ ...shared, compute: onLane(pool, "prediction") }),
    fleetSeries: new FleetSeries(shared),
    bucketDetections: new BucketDetections(shared),
    labels: new Labels(shared),
    relatedScans: new RelatedScans(shared),
    capacity: new Capacity(shared),
    budgets: new Budgets(shared),
    related: new Related({
      ...{ store: shared.store, clock, keepsScores: () => shared.current.value.historyMs > 0 },
      onError: (what, error) => log.error(what, { error }),
    }),
    deliveries: new Deliveries(shared),
  };
}

/** Receivers of points that other systems push. */
export function createReceivers(
  { current, meter, activity, log, store, clock, openBucket }: Shared,
  openLocal: PushDeps["openLocal"],
) {
  const maxSeries = () => current.value.bucketSeries;
  const deps = { openLocal, maxSeries, onReceived: meter.onReceived };
  const subscriptions = new Subscriptions({
    ...{ store, clock, openBucket, maxSeries, onReceived: meter.onReceived },
    onChange: activity.onSubscriptionChange,
    onRefused: activity.onRefusedMessage,
    onError: (error, bucket) => log.error("message not stored", { bucket, error }),
  });
  return { remoteWrite: new RemoteWrite(deps), otlp: new Otlp(deps), subscriptions };
}
