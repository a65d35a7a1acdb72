// Schema of the cluster: the nodes that share the state, each with its lease, shards and clock.
import { Type } from "@sinclair/typebox";
import { optional } from "../../core/input/optional.ts";
import { type Shown, seconds } from "../shown.ts";

const ClusterNode = Type.Object(
  {
    id: Type.String({ description: "UUID of its membership; a node that joins again gets another" }),
    name: Type.String({ description: "`node.name`" }),
    host: Type.String({ description: "Host name of its machine" }),
    address: Type.String({
      description: "Where it listens, with its host name in place of all interfaces; empty while it starts",
    }),
    version: Type.String(),
    work: Type.Array(Type.Union([Type.Literal("live"), Type.Literal("jobs")]), {
      description: "What it does beside answering requests: `cluster.work`",
    }),
    shards: Type.Integer({
      description: "Of 1024, which hold the names of models, hooks and scheduled jobs",
    }),
    lease_seconds: optional.number(
      "Time left of its lease; negative: it is gone, and about to be removed; absent where the state is a file",
    ),
    clock_skew_seconds: Type.Number({
      description: "Of its clock against that of the database; positive: it is ahead",
    }),
    started_timestamp: seconds("Start of the node, seconds since the epoch"),
    settings_differ: Type.Optional(
      Type.Literal(true, { description: "Its settings are others than those of the node that answers" }),
    ),
  },
  { $id: "ClusterNode" },
);
export type ClusterNodeView = Shown<typeof ClusterNode>;

export const Cluster = Type.Object(
  {
    name: Type.String({ description: "`cluster.name`" }),
    shared: Type.Boolean({
      description: "Whether nodes share the state, in a database; otherwise it is a file",
    }),
    answered_by: Type.String({ description: "Id of the node that answers" }),
    shards_without_owner: Type.Integer({
      description: "Their models are not evaluated until a node takes them",
    }),
    synchronous: optional.flag(
      "Whether commits wait for a standby of the database; absent where its user may not see them, and for a file",
    ),
    nodes: Type.Array(ClusterNode, { description: "By name" }),
  },
  { $id: "Cluster", description: "Nodes that share the state; a state in a file has one" },
);
export type ClusterView = Shown<typeof Cluster>;
