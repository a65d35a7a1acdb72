// The server itself: version and addresses of its node.
import { Type } from "@sinclair/typebox";
import type { Shown } from "../shown.ts";

export const Root = Type.Object(
  { version: Type.String(), tagline: Type.String(), host_id: Type.String() },
  { $id: "Root", description: "Version of the server" },
);
export type RootView = Shown<typeof Root>;

const Node = Type.Object(
  {
    name: Type.String(),
    transport_address: Type.String(),
    host: Type.String(),
    ip: Type.String(),
    version: Type.String(),
    roles: Type.Array(Type.String()),
    http: Type.Object({ bound_address: Type.Array(Type.String()), publish_address: Type.String() }),
  },
  { $id: "Node" },
);

export const Nodes = Type.Object(
  {
    _nodes: Type.Object({ total: Type.Integer(), successful: Type.Integer(), failed: Type.Integer() }),
    cluster_name: Type.String(),
    nodes: Type.Record(Type.String(), Node, { description: "By host_id" }),
  },
  { $id: "Nodes", description: "Addresses of the nodes; a state in a file has one" },
);
export type NodesView = Shown<typeof Nodes>;
