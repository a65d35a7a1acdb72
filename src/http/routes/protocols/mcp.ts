// Route of the Model Context Protocol: assistants list, explain, forecast and, as their token may, change models.
import { Type } from "@sinclair/typebox";
import { McpAnswer, McpMessage } from "../../../api/protocols/mcp.ts";
import { McpEndpoint } from "../../../mcp/endpoint.ts";
import type { ToolResources } from "../../../mcp/tool.ts";
import { principalOf } from "../../framework/access.ts";
import type { AppDeps } from "../../framework/deps.ts";
import { createInstance, documented } from "../../framework/elysia.ts";
import { mcpDialect } from "../../framework/mcp-dialect.ts";
import { infoOf } from "../../framework/request-context.ts";

const about =
  "Streamable HTTP without sessions: one JSON-RPC message per request, answered in JSON; a notification is answered " +
  "202. An `Accept` must allow `application/json`. The tools that the scope of the token allows are " +
  "listed by `tools/list`; a call of another one, and one that fails, is a result with `isError`.";

type Deps = Pick<AppDeps, keyof ToolResources | "holdOpen" | "limits" | "log" | "meter" | "node">;

/** Route of the protocol. */
export function createMcpRoutes(deps: Deps) {
  const { anomalies, buckets, budgets, capacity, changes, detections } = deps;
  const { jobs, live, models, related, reports } = deps;
  const { holdOpen, log, meter, node, limits } = deps;
  const endpoint = new McpEndpoint({
    anomalies,
    buckets,
    budgets,
    capacity,
    changes,
    detections,
    jobs,
    live,
    models,
    related,
    reports,
    deadlineMs: limits.deadlineMs,
    version: node.version,
    onCall: ({ tool, outcome, bug }, request) => {
      meter.onMcpCall({ tool, outcome });
      if (bug !== undefined) log.error("tool failed", { request_id: infoOf(request).id, tool, error: bug });
    },
  });
  return createInstance().post(
    "/mcp",
    ({ request, body }) => {
      holdOpen(request);
      return endpoint.answer(request, { body, principal: principalOf(request) });
    },
    {
      body: documented(McpMessage),
      response: { 200: documented(McpAnswer), 202: documented(Type.Null()) },
      detail: {
        scope: "read",
        summary: "Answer a message of the Model Context Protocol",
        description: about,
        dialect: mcpDialect,
        tags: ["assistants"],
      },
    },
  );
}
