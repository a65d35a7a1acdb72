// Composition of a node that shares the state with others; absent where the state is a file.
import { hostname } from "node:os";
import { kindsWithFiles } from "../buckets/index.ts";
import { Cluster, type ClusterStep, type Work } from "../cluster/cluster.ts";
import { type Ownership, SHARDS, soleOwner } from "../core/ownership.ts";
import type { Delivery } from "../delivery/deliver.ts";
import type { Queue, QueueNode } from "../jobs/queue/queue.ts";
import type { LiveLoop } from "../live/loop.ts";
import type { Buckets } from "../resources/buckets/index.ts";
import { ClusterNodes, type ListedNode } from "../resources/server/cluster.ts";
import type { Tokens } from "../resources/tokens/index.ts";
import { systemClock } from "../runtime/clock.ts";
import type { Timetable } from "../scheduler/timetable.ts";
import type { ServerSettings } from "../settings/load.ts";
import type { Store } from "../store/db/open.ts";
import type { Recovered } from "../store/jobs/recovery.ts";
import { isShared, type SharedStore } from "../store/postgres/open.ts";
import type { Log } from "../telemetry/log.ts";
import type { Lifecycle } from "./lifecycle.ts";

interface NodeDeps {
  readonly store: Store;
  readonly log: Log;
  readonly lifecycle: Lifecycle;
  readonly version: string;
  readonly startedAt: number;
  /** Where the node listens, `host:port`; empty until it does. */
  readonly address: () => string;
  /** Id of a server whose state is a file. */
  readonly hostId: string;
  /** Called after shards that no node owned were taken. */
  readonly onTaken: (count: number) => void;
}

/** What components have to know of other nodes. */
export interface NodeParts {
  readonly cluster?: Cluster;
  readonly ownership: Ownership;
  readonly clusterNodes: ClusterNodes;
  readonly queueNode?: QueueNode;
  /** Jobs that were recovered from nodes that are gone. */
  readonly recovered?: Recovered;
}

/** Joins the cluster of the database. @throws TorusError `not_supported`, `storage_unavailable` */
export async function startNode(settings: ServerSettings, deps: NodeDeps): Promise<NodeParts> {
  const { store, lifecycle } = deps;
  const facts = factsOf(settings, deps);
  if (!isShared(store)) return { ownership: soleOwner, clusterNodes: listSole(settings, facts, deps) };
  const cluster = createCluster(settings, facts, { ...deps, store });
  lifecycle.onStop("node", () => cluster.stop());
  const recovered = await cluster.start();
  const queueNode: QueueNode = {
    get id() {
      return cluster.member.id;
    },
    isWorking: facts.work.includes("jobs"),
    progressOf: (id) => cluster.progressOf(id),
  };
  const clusterNodes = listShared(settings, cluster, deps);
  return { cluster, ownership: cluster.shards, clusterNodes, queueNode, recovered };
}

type NodeFacts = Pick<ListedNode, "name" | "host" | "version" | "work" | "settingsHash" | "startedAt">;

function factsOf(
  { nodeName: name, cluster, settingsHash, live }: ServerSettings,
  { version, startedAt }: NodeDeps,
): NodeFacts {
  const work = cluster.work.filter((part) => part !== "live" || live);
  return { name, host: hostname(), version, work, settingsHash, startedAt };
}

function createCluster(
  settings: ServerSettings,
  facts: NodeFacts,
  { store, log, address, onTaken }: NodeDeps & { readonly store: SharedStore },
): Cluster {
  return new Cluster({
    store,
    clock: systemClock,
    monotonic: () => performance.now(),
    leaseMs: settings.cluster.leaseMs,
    kindsWithFiles,
    node: { storage: store.folderId, ...facts },
    address,
    newId: () => crypto.randomUUID(),
    onError: (error) => log.error("the database of the cluster cannot be used", { error }),
    onTaken,
    onChange: (step, fields) => log[warnings.includes(step) ? "warn" : "info"](messages[step], { ...fields }),
  });
}

/** The only node of a state that is a file. */
function listSole(
  settings: ServerSettings,
  facts: NodeFacts,
  { hostId: id, address }: NodeDeps,
): ClusterNodes {
  const lease = { leaseMs: Number.POSITIVE_INFINITY, clockSkewMs: 0 };
  return new ClusterNodes({
    name: settings.clusterName,
    isShared: false,
    own: () => ({ id, settingsHash: facts.settingsHash }),
    listNodes: async () => [{ id, ...facts, ...lease, address: address(), shards: SHARDS }],
    isSynchronous: async () => undefined,
  });
}

/** The database learns the address of a node with the first beat after it listens. */
function listShared(
  { clusterName: name, settingsHash }: ServerSettings,
  cluster: Cluster,
  { address }: NodeDeps,
): ClusterNodes {
  const { member } = cluster;
  const withAddress = (node: ListedNode) => (node.id === member.id ? { ...node, address: address() } : node);
  return new ClusterNodes({
    name,
    isShared: true,
    own: () => ({ id: member.id, settingsHash }),
    listNodes: async () => (await cluster.list()).map(withAddress),
    isSynchronous: () => cluster.isSynchronous(),
  });
}

const warnings: readonly ClusterStep[] = ["lost", "skewed"];
const messages: Readonly<Record<ClusterStep, string>> = {
  joined: "joined the cluster",
  lost: "lease lost: other nodes take over",
  taken: "shards taken",
  buried: "node gone: its jobs are recovered",
  skewed: "clock skew: synchronize the clocks of this node and the database (NTP)",
  synchronized: "clock synchronized",
};

/** Components that keep something of the database in memory, or act on it. */
interface SharedParts {
  readonly tokens: Pick<Tokens, "reload">;
  readonly buckets: Pick<Buckets, "close">;
  readonly loop: Pick<LiveLoop, "follow">;
  readonly timetable: Pick<Timetable, "refresh">;
  readonly delivery: Pick<Delivery, "wake">;
  readonly queue: Pick<Queue, "abandon" | "fill" | "listRunning" | "release" | "resolveEnded">;
}

/** How the components of this node follow other nodes, and what these hear of its jobs. */
export function workOf({ tokens, buckets, loop, timetable, delivery, queue }: SharedParts): Work {
  return {
    listRunning: () =>
      queue
        .listRunning()
        .map(({ job: { id, type, model }, report }) => ({ id, job: type, model, ...report })),
    abandonJobs: () => queue.abandon(),
    followers: {
      models: (names) => loop.follow(names),
      buckets: (names) => buckets.close(names),
      tokens: () => tokens.reload(),
      scheduledJobs: (names) => timetable.refresh(names),
      endedJobs: (ids) => queue.release(ids),
      waitingJobs: () => queue.fill(),
      deliveries: () => delivery.wake(),
      all: async () => {
        await tokens.reload();
        await buckets.close();
        await timetable.refresh();
        await queue.resolveEnded();
        queue.fill();
      },
    },
  };
}
