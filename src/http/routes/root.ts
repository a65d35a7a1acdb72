// Routes of the root: version and nodes, which old clients read first.
import { Type } from "@sinclair/typebox";
import { Nodes, type NodesView, Root, type RootView } from "../../api/root.ts";
import { TorusError } from "../../core/errors.ts";
import type { AppDeps, NodeInfo } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";
import { query } from "../framework/params.ts";

const TAGLINE = "Anomaly detection and forecasting for time series";
const wildcards = ["0.0.0.0", "::", ""];

/** Routes of the root. */
export function createRootRoutes({ node }: Pick<AppDeps, "node">) {
  return createInstance()
    .get("/", (): RootView => ({ version: node.version, tagline: TAGLINE, host_id: node.hostId }), {
      query: query(),
      response: documented(Root),
      detail: { scope: "read", summary: "Get the version of the server", tags: ["root"] },
    })
    .get(
      "/_nodes/:node/http",
      ({ params, request }) => {
        if (params.node !== "_all" && params.node !== node.hostId)
          throw new TorusError("not_found", "node does not exist; this server's id is host_id of GET /");
        return describeNodes(node, new URL(request.url));
      },
      {
        query: query(),
        params: documented<{ node: string }>(
          Type.Object({ node: Type.String({ description: "`_all` or a host_id" }) }),
        ),
        response: documented(Nodes),
        detail: { scope: "read", summary: "Get the addresses of the nodes", tags: ["root"] },
      },
    );
}

/** A server that listens on all interfaces publishes the host of the request. */
function describeNodes(node: NodeInfo, url: URL): NodesView {
  const { host, port } = node.address();
  const isWildcard = wildcards.includes(host);
  const bound = joinAddress(host, port);
  const published = isWildcard ? joinAddress(url.hostname.replace(/^\[|\]$/g, ""), port) : bound;
  const publishedHost = published.slice(0, published.lastIndexOf(":"));
  return {
    _nodes: { total: 1, successful: 1, failed: 0 },
    cluster_name: node.clusterName,
    nodes: {
      [node.hostId]: {
        name: node.name,
        transport_address: published,
        host: publishedHost,
        ip: publishedHost === "localhost" ? "127.0.0.1" : publishedHost,
        version: node.version,
        roles: ["master", "compute"],
        http: { bound_address: [bound], publish_address: published },
      },
    },
  };
}

function joinAddress(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
