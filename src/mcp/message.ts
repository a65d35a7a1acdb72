// Envelope of a message of the Model Context Protocol, checked by JSON-RPC 2.0 before the SDK reads it; pure.

/** JSON-RPC 2.0, section 5.1. */
export const errorCodes = { notRequest: -32_600, invalidParams: -32_602 } as const;

/** Values of a message beside the arguments of a tool: the SDK checks and copies each at once. */
const MAX_VALUES = 10_000;

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
  if (hasMoreValues(withoutArguments(body), MAX_VALUES))
    return notRequest(
      `the message has more than ${MAX_VALUES} values beside the arguments of a tool: leave some out`,
    );
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

function withoutArguments(body: Readonly<Record<string, unknown>>): unknown {
  if (body.method !== "tools/call" || !isObject(body.params)) return body;
  return { ...body, params: { ...body.params, arguments: undefined } };
}

/** Whether lists and objects have more entries than this, at all depths together. */
function hasMoreValues(value: unknown, most: number): boolean {
  const open = [value];
  for (let count = 0; open.length > 0; ) {
    const next = open.pop();
    if (typeof next !== "object" || next === null) continue;
    const entries: readonly unknown[] = Array.isArray(next) ? next : Object.values(next);
    count += entries.length;
    if (count > most) return true;
    for (const entry of entries) open.push(entry);
  }
  return false;
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
