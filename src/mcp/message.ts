// Envelope of a message of the Model Context Protocol, checked by JSON-RPC 2.0 before the SDK reads it; pure.

/** JSON-RPC 2.0, section 5.1. */
export const errorCodes = { notRequest: -32_600, invalidParams: -32_602 } as const;

/** What is wrong with a message, as the member `error` of its answer. */
export interface MessageProblem {
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

/** @returns undefined for a request, a notification, or an answer of a client */
export function findProblem(body: unknown): MessageProblem | undefined {
  // A canceled entry of a batch has no answer, and the others would wait for it; later versions have none.
  if (Array.isArray(body)) return notRequest("batches are not supported: send one message per request");
  if (!isObject(body)) return notRequest("the body must be an object: a message of JSON-RPC 2.0");
  if (body.jsonrpc !== "2.0") return notRequest('jsonrpc must be "2.0"');
  if ("result" in body || "error" in body) return undefined;
  const { method, params } = body;
  if (typeof method !== "string") return notRequest("method must be a text");
  const id = typeof body.id === "string" || typeof body.id === "number" ? body.id : null;
  if (params !== undefined && !isObject(params)) return invalidParams("params must be an object", id);
  if (method === "initialize" && typeof params?.protocolVersion !== "string")
    return invalidParams(
      "params.protocolVersion is required: a version of the protocol, as in 2025-06-18",
      id,
    );
  if (method === "tools/list" && params?.cursor !== undefined)
    return invalidParams("params.cursor is unknown: the list of tools has one page", id);
  return undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function notRequest(message: string): MessageProblem {
  return { id: null, error: { code: errorCodes.notRequest, message } };
}

function invalidParams(message: string, id: MessageProblem["id"]): MessageProblem {
  return { id, error: { code: errorCodes.invalidParams, message } };
}
