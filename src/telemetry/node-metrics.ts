// Metrics of a node in its cluster; absent where the state is a file.
import { Counter, Gauge, type Registry } from "prom-client";
import type { NodeState } from "../store/postgres/nodes.ts";

/** Gauges read `nodeState` when they are rendered; each `on...` counts one event. */
export function createNodeMetrics(registry: Registry, nodeState: () => NodeState) {
  const registers = [registry];
  const gauge = (name: string, help: string, read: (state: NodeState) => number) =>
    new Gauge({
      name: `torus_${name}`,
      help,
      registers,
      collect() {
        this.set(read(nodeState()));
      },
    });
  const counter = (name: string, help: string) => new Counter({ name: `torus_${name}`, help, registers });

  gauge("cluster_nodes", "Nodes with a lease, as this one saw them last: use max", ({ nodes }) => nodes);
  gauge("node_shards", "Shards of this node; those of all nodes are 1024", ({ shards }) => shards);
  gauge("node_lease_seconds", "Time left of the lease; 0: lost", ({ leaseMs }) => leaseMs / 1000);
  gauge(
    "node_clock_skew_seconds",
    "Clock of this node against that of the database; positive: ahead",
    ({ clockSkewMs }) => clockSkewMs / 1000,
  );
  gauge("feed_age_seconds", "Age of what this node knows of others", ({ feedAgeMs }) => feedAgeMs / 1000);
  const takeovers = counter("node_takeovers_total", "Shards taken that no node with a lease owned");
  const writes = counter("store_writes_total", "Transactions that wrote to the database");
  const retries = counter("store_retries_total", "Repetitions of such transactions because of others");
  const resets = counter("pool_resets_total", "Times all connections were dropped because one was lost");

  return {
    onTaken(shards: number): void {
      takeovers.inc(shards);
    },
    /** @param attempts how often the transaction was begun */
    onWrite(attempts: number): void {
      writes.inc();
      retries.inc(attempts - 1);
    },
    onReset(): void {
      resets.inc();
    },
  };
}
