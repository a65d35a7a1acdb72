// Envelope of a message of the Model Context Protocol, checked by JSON-RPC 2.0 before the SDK reads it; pure.

/** JSON-RPC 2.0, section 5.1. */
export const errorCodes = { notRequest: -32_600, invalidParams: -32_602 } as const;

const members = ["jsonrpc", "id", "method", "params", "result", "error"];

/** Values of a message beside the arguments of a tool: the SDK checks and copies each at once. */
const MAX_VALUES = 10_000;

/** What is wrong with a message, as the member `error` of its answer. */
export interface MessageProblem {
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

type Members = Readonly<Record<string, unknown>>;

/**
 * What the SDK would take for text that is no JSON, or answer with the text of its validator, is named here.
 * @returns undefined for a request, a notification, or an answer of a client
 */
export function findProblem(body: unknown): MessageProblem | undefined {
  // A canceled entry of a batch has no answer, and the others would wait for it; later versions have none.
  if (Array.isArray(body)) return notRequest("batches are not supported: send one message per request");
  if (!isObject(body)) return notRequest("the body must be an object: a message of JSON-RPC 2.0");
  if (hasMoreValues(withoutArguments(body), MAX_VALUES))
    return notRequest(
      `the message has more than ${MAX_VALUES} values beside the arguments of a tool: leave some out`,
    );
  const wrong = explainEnvelope(body);
  if (wrong !== undefined) return notRequest(wrong);
  if (isAnswer(body)) return undefined;
  const { id = null, method, params } = body;
  const refused = explainParams(method as string, params);
  return refused === undefined ? undefined : invalidParams(refused, id as MessageProblem["id"]);
}

const isAnswer = (body: Members) => "result" in body || "error" in body;
const isId = (value: unknown) => typeof value === "string" || Number.isSafeInteger(value);

function explainEnvelope(body: Members): string | undefined {
  if (body.jsonrpc !== "2.0") return 'jsonrpc must be "2.0"';
  const unknown = Object.keys(body).find((name) => !members.includes(name));
  if (unknown !== undefined) return `${unknown} is unknown; a message has ${members.join(", ")}`;
  if (("id" in body || "result" in body) && !isId(body.id)) return "id must be a text or a whole number";
  return isAnswer(body) ? explainAnswer(body) : explainMethod(body);
}

function explainMethod({ method }: Members): string | undefined {
  return typeof method === "string" ? undefined : "method must be a text";
}

function explainAnswer({ method, result, error }: Members): string | undefined {
  if ([method, result, error].filter((value) => value !== undefined).length > 1)
    return "a message has one of method, result and error";
  if (result !== undefined) return isObject(result) ? undefined : "result must be an object";
  const isError = isObject(error) && Number.isSafeInteger(error.code) && typeof error.message === "string";
  return isError ? undefined : "error must be an object with code, a whole number, and message, a text";
}

function explainParams(method: string, params: unknown): string | undefined {
  if (params !== undefined && !isObject(params)) return "params must be an object";
  const meta = params?._meta;
  if (meta !== undefined && !isObject(meta)) return "params._meta must be an object";
  if (meta?.progressToken !== undefined && !isId(meta.progressToken))
    return "params._meta.progressToken must be a text or a whole number";
  return explainers.get(method)?.(params ?? {});
}

/** Parameters of the methods that the server has. */
const explainers: ReadonlyMap<string, (params: Members) => string | undefined> = new Map([
  ["initialize", explainHandshake],
  ["tools/list", explainList],
  ["tools/call", explainCall],
]);

function explainHandshake({ protocolVersion, capabilities, clientInfo }: Members): string | undefined {
  if (typeof protocolVersion !== "string")
    return "params.protocolVersion is required: a version of the protocol, as in 2025-06-18";
  if (!isObject(capabilities)) return "params.capabilities is required: an object, empty for none";
  const isNamed =
    isObject(clientInfo) && typeof clientInfo.name === "string" && typeof clientInfo.version === "string";
  return isNamed ? undefined : "params.clientInfo is required: an object with name and version, both texts";
}

function explainList({ cursor }: Members): string | undefined {
  return cursor === undefined ? undefined : "params.cursor is unknown: the list of tools has one page";
}

/** Servers without tasks answer at once what asks for one. */
function explainCall({ name, arguments: input, task }: Members): string | undefined {
  if (typeof name !== "string") return "params.name is required: the name of a tool";
  if (task !== undefined && !isObject(task)) return "params.task must be an object";
  return input === undefined || isObject(input) ? undefined : "params.arguments must be an object";
}

function withoutArguments(body: Members): unknown {
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

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function notRequest(message: string): MessageProblem {
  return { id: null, error: { code: errorCodes.notRequest, message } };
}

function invalidParams(message: string, id: MessageProblem["id"]): MessageProblem {
  return { id, error: { code: errorCodes.invalidParams, message } };
}
