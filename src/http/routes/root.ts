// Routes of the root: version and nodes, which old clients read first.
import { Cluster } from "../../api/server/cluster.ts";
import { Nodes, type NodesView, Root, type RootView } from "../../api/server/root.ts";
import { TorusError } from "../../core/errors.ts";
import { type ListedNode, publishedAddress } from "../../resources/server/cluster.ts";
import type { AppDeps, NodeInfo } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";
import { pathParams } from "../framework/params.ts";

const TAGLINE = "Anomaly detection and forecasting for time series";
const wildcards = ["0.0.0.0", "::", ""];

/** Routes of the root. */
export function createRootRoutes({ node, clusterNodes }: Pick<AppDeps, "node" | "clusterNodes">) {
  return createInstance()
    .get("/", (): RootView => ({ version: node.version, tagline: TAGLINE, host_id: node.hostId }), {
      response: documented(Root),
      detail: { scope: "read", summary: "Get the version of the server", tags: ["root"] },
    })
    .get("/_cluster", () => clusterNodes.describe(), {
      response: documented(Cluster),
      detail: {
        scope: "read",
        summary: "Get the nodes that share the state, with their leases and shards",
        tags: ["root"],
      },
    })
    .get(
      "/_nodes/:node/http",
      async ({ params, request }) => {
        // A node that starts is in the list before it listens.
        const nodes = (await clusterNodes.listAlive()).filter(({ address }) => address !== "");
        const chosen = params.node === "_all" ? nodes : nodes.filter(({ id }) => id === params.node);
        if (params.node !== "_all" && chosen.length === 0)
          throw new TorusError("not_found", "node does not exist; GET /_cluster shows the ids of all");
        return describeNodes(chosen, node, new URL(request.url));
      },
      {
        params: pathParams({ node: "`_all` or a host_id" }),
        response: documented(Nodes),
        detail: { scope: "read", summary: "Get the addresses of the nodes", tags: ["root"] },
      },
    );
}

function describeNodes(nodes: readonly ListedNode[], own: NodeInfo, url: URL): NodesView {
  const { length: total } = nodes;
  const describe = (node: ListedNode) =>
    node.id === own.hostId ? describeOwn(own, url) : describeNode(node, node.address, publishedAddress(node));
  return {
    _nodes: { total, successful: total, failed: 0 },
    cluster_name: own.clusterName,
    nodes: Object.fromEntries(nodes.map((node) => [node.id, describe(node)])),
  };
}

/** A server that listens on all interfaces publishes the host of the request. */
function describeOwn(node: NodeInfo, url: URL) {
  const { host, port } = node.address();
  const bound = joinAddress(host, port);
  const isWildcard = wildcards.includes(host);
  return describeNode(
    node,
    bound,
    isWildcard ? joinAddress(url.hostname.replace(/^\[|\]$/g, ""), port) : bound,
  );
}

function describeNode(
  { name, version }: Pick<NodeInfo, "name" | "version">,
  bound: string,
  published: string,
): NodesView["nodes"][string] {
  const host = published.slice(0, published.lastIndexOf(":"));
  return {
    name,
    transport_address: published,
    host,
    ip: host === "localhost" ? "127.0.0.1" : host,
    version,
    roles: ["master", "compute"],
    http: { bound_address: [bound], publish_address: published },
  };
}

function joinAddress(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
