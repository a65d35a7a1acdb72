// Dialect of the Model Context Protocol: JSON bodies, errors as JSON-RPC 2.0 has them.
import { McpAnswer } from "../../api/protocols/mcp.ts";
import type { ErrorCode, ErrorDetails, TorusError } from "../../core/errors.ts";
import type { Dialect } from "./dialect.ts";
import { type ProblemContext, problemHeaders, statusOf } from "./errors.ts";
import { jsonDialect } from "./json-dialect.ts";

/** JSON-RPC 2.0, section 5.1; the last one is any error of a server. */
const numbers = { notJson: -32_700, internal: -32_603, server: -32_000 } as const;

export const mcpDialect: Dialect = { ...jsonDialect, problem: McpAnswer, renderError };

/** The answer to an error; the text of a bug is left out. */
function renderError(error: TorusError, context: ProblemContext): Response {
  const { code } = error;
  const isBug = code === "internal";
  const { allow: _, ...details }: ErrorDetails = isBug ? {} : error.details;
  const message = isBug ? "internal error; the log has the details under this request id" : error.message;
  const data = { ...details, code, request_id: context.requestId };
  const body = JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: numberOf(code), message, data } });
  const headers = problemHeaders(error, context, "application/json");
  return new Response(context.method === "HEAD" ? null : body, { status: statusOf(code), headers });
}

function numberOf(code: ErrorCode): number {
  if (code === "internal") return numbers.internal;
  return code === "invalid" ? numbers.notJson : numbers.server;
}
