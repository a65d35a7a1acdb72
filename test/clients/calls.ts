// Calls of generated clients: a module in each language that calls every operation once, from the examples of the API.
import type { Api, Operation, Parameter } from "../../.ci/clients/api.ts";
import { pythonName, snake } from "../../.ci/clients/names.ts";
import { examples } from "../../src/http/docs/examples/index.ts";
import { apart, type Needs, paramsOf, steps } from "../http/docs/steps.ts";

/** A job that is known when the call is made. */
const JOB = "{job}";

interface Call {
  /** `METHOD /path` of the route. */
  readonly key: string;
  readonly operation: Operation;
  readonly path: readonly unknown[];
  readonly body: unknown;
  readonly options: Readonly<Record<string, unknown>>;
}

/** One call per operation of the examples. @throws Error for one that the client lacks */
export function listCalls({ operations }: Api): Call[] {
  const all = [...steps, ...apart.map((key): [string, Needs?] => [key])];
  const byKey = new Map(
    operations.map((one) => [`${one.method} ${one.path.replace(/\{(\w+)\}/g, ":$1")}`, one]),
  );
  return all.map(([key, needs]) => {
    const operation = byKey.get(key);
    if (!operation) throw new Error(`no method for ${key}`);
    return makeCall(key, operation, needs ?? {});
  });
}

function makeCall(key: string, operation: Operation, needs: Needs): Call {
  const { params, bytes, query = "", headers } = needs;
  const given = key.includes("/tokens/") ? { names: "ops" } : params;
  const known = paramsOf(operation.path, { ...(given && { params: given }), jobId: JOB });
  const ofName = (name: string) => operation.parameters.find((one) => one.name === name)!;
  const options = [...new URLSearchParams(query)].map(([name, text]) => {
    const parameter = ofName(name);
    return [parameter.key, toValue(parameter, text)] as const;
  });
  return {
    key,
    operation,
    path: operation.parameters
      .filter((one) => one.in === "path")
      .map(({ name }) => decodeURIComponent(known[name]!)),
    body: bytes ?? examples[key]!.request,
    options: Object.fromEntries([...options, ...(headers ? [["headers", headers] as const] : [])]),
  };
}

function toValue({ shape }: Parameter, text: string): unknown {
  if (shape.kind === "boolean") return text === "true";
  return shape.kind === "integer" || shape.kind === "number" ? Number(text) : text;
}

/** Module of `calls`: by operation a function of a client and a job. */
export function writeTypescriptCalls(calls: readonly Call[]): string {
  const lines = calls.map(({ key, operation, path, body, options }) => {
    const hasOptions = Object.keys(options).length > 0;
    const sent =
      body === undefined ? (operation.body && hasOptions ? ["undefined"] : []) : [toTypescript(body)];
    const args = [...path.map(toTypescript), ...sent, ...(hasOptions ? [toTypescript(options)] : [])].join(
      ", ",
    );
    const call = `torus.${operation.id}(${args})`;
    return `  ${JSON.stringify(key)}: (torus, job) => ${isEvents(operation) ? `collect(${call})` : call},`;
  });
  return `import type { Torus } from "./index.js";
async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
export const calls: Record<string, (torus: Torus, job: string) => Promise<unknown>> = {
${lines.join("\n")}
};
`;
}

const isEvents = ({ id }: Operation) => id === "followEvents";

function toTypescript(value: unknown): string {
  if (value === JOB) return "job";
  if (value instanceof Uint8Array) return `Uint8Array.from([${value.join(",")}])`;
  return JSON.stringify(value);
}

/** Module that reads `{key, url, token, job}` from each line, makes the call, and writes what came of it. */
export function writePythonCalls(calls: readonly Call[]): string {
  const lines = calls.map(({ key, operation, path, body, options }) => {
    const named = Object.entries(options).map(([name, value]) => `${pythonName(name)}=${toPython(value)}`);
    const args = [...path.map(toPython), ...(body === undefined ? [] : [toPython(body)]), ...named].join(
      ", ",
    );
    const call = `torus.${snake(operation.id)}(${args})`;
    return `    ${JSON.stringify(key)}: lambda torus, job: ${isEvents(operation) ? `list(${call})` : call},`;
  });
  return `import dataclasses, json, sys
from torus_client import Record, Torus, TorusError

def unknown(value):
    """Keys of records that the client has no field for."""
    if isinstance(value, Record):
        found = [type(value).__name__ + "." + key for key in value.extra]
        return found + [key for one in dataclasses.fields(value) if one.name != "extra" for key in unknown(getattr(value, one.name))]
    if isinstance(value, dict):
        return [key for part in value.values() for key in unknown(part)]
    return [key for part in value for key in unknown(part)] if isinstance(value, list) else []

CALLS = {
${lines.join("\n")}
}
for line in sys.stdin:
    asked = json.loads(line)
    torus = Torus(asked["url"], asked.get("token"))
    try:
        answer = CALLS[asked["key"]](torus, asked["job"])
        told = answer if isinstance(answer, str) else getattr(answer, "token", None)
        print(json.dumps({"status": 200, "type": type(answer).__name__, "told": told, "unknown": unknown(answer)}), flush=True)
    except TorusError as error:
        print(json.dumps({"status": error.status, "type": type(error).__name__, "message": str(error)}), flush=True)
`;
}

function toPython(value: unknown): string {
  if (value === JOB) return "job";
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (value instanceof Uint8Array) return `bytes.fromhex("${value.toHex()}")`;
  if (Array.isArray(value)) return `[${value.map(toPython).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, part]) => `${JSON.stringify(key)}: ${toPython(part)}`)
    .join(", ")}}`;
}
