// Nodes of the cluster, for clients; a state in a file has one, without a lease.
import type { ClusterNodeView, ClusterView } from "../../api/server/cluster.ts";
import { SHARDS } from "../../core/ownership.ts";
import type { Node } from "../../store/postgres/nodes.ts";

/** A node; `leaseMs` is Infinity where the state is a file. */
export type ListedNode = Omit<Node, "storage">;

export interface ClusterDeps {
  readonly name: string;
  /** Whether the state is in a database, which nodes share. */
  readonly isShared: boolean;
  /** The node that answers. */
  readonly own: () => Pick<Node, "id" | "settingsHash">;
  /** @throws TorusError `storage_unavailable` */
  readonly listNodes: () => Promise<readonly ListedNode[]>;
  /** Whether commits wait for a standby; undefined where that is not known. @throws TorusError as `listNodes` */
  readonly isSynchronous: () => Promise<boolean | undefined>;
}

export class ClusterNodes {
  constructor(private readonly deps: ClusterDeps) {}

  /** All nodes with their shards; also those that are gone, until they are removed. @throws TorusError `storage_unavailable` */
  async describe(): Promise<ClusterView> {
    const { name, isShared, own, listNodes, isSynchronous } = this.deps;
    const [nodes, synchronous] = await Promise.all([listNodes(), isSynchronous()]);
    const { id, settingsHash } = own();
    const owned = nodes.filter(isAlive).reduce((sum, { shards }) => sum + shards, 0);
    return {
      name,
      shared: isShared,
      answered_by: id,
      shards_without_owner: SHARDS - owned,
      ...(synchronous !== undefined && { synchronous }),
      nodes: nodes.map((node) => viewNode(node, settingsHash)),
    };
  }

  /** Nodes with a lease. @throws TorusError `storage_unavailable` */
  async listAlive(): Promise<readonly ListedNode[]> {
    return (await this.deps.listNodes()).filter(isAlive);
  }
}

function isAlive({ leaseMs }: ListedNode): boolean {
  return leaseMs > 0;
}

function viewNode(node: ListedNode, ownHash: string): ClusterNodeView {
  const { id, name, host, version, work, shards, leaseMs, clockSkewMs, startedAt, settingsHash } = node;
  return {
    ...{ id, name, host, address: publishedAddress(node), version },
    work: work as ClusterNodeView["work"],
    shards,
    ...(Number.isFinite(leaseMs) && { lease_seconds: toSeconds(leaseMs) }),
    clock_skew_seconds: toSeconds(clockSkewMs),
    started_timestamp: startedAt / 1000,
    ...(settingsHash !== ownHash && { settings_differ: true }),
  };
}

/** To the millisecond. */
function toSeconds(ms: number): number {
  return Math.round(ms) / 1000;
}

const wildcard = /^(?:0\.0\.0\.0|\[::\]|)(?=:\d+$)/;

/** Address of a node, with its host name in place of all interfaces. */
export function publishedAddress({ address, host }: Pick<ListedNode, "address" | "host">): string {
  return address.replace(wildcard, host);
}
