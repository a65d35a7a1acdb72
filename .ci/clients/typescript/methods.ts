// Class of the TypeScript client: one method per operation, named by its operationId.
import { type Answer, type Api, isStream, type Operation, type Parameter } from "../api.ts";
import { pascal, typescriptKey } from "../names.ts";
import { namesIn, type Shape } from "../shapes.ts";
import { comment, typeOf } from "./types.ts";

const JSON_TYPE = "application/json";

/** The module of the class. */
export function writeClass(api: Api): string {
  const { operations } = api;
  const options = operations.flatMap(writeOptions).join("\n\n");
  const methods = operations.map(writeMethod).join("\n\n");
  const text = `${options}\n\nexport class Torus extends Transport {\n${methods}\n}\n`;
  const used = [...new Set(operations.flatMap(shapesOf).flatMap(namesIn))].sort();
  return `// Operations of the API.
import { type CallOptions, type Names, type OperationFacts, Transport } from "./transport.js";
import type { ${used.join(", ")} } from "./types.js";

const facts = {
${operations.map((operation) => `  ${operation.id}: ${JSON.stringify(factsOf(operation))},`).join("\n")}
} as const satisfies Record<string, OperationFacts>;

${text}`;
}

function shapesOf({ parameters, body, answers, sparse }: Operation): Shape[] {
  const all = [
    ...parameters.map(({ shape }) => shape),
    body?.shape,
    ...answers.map(({ shape }) => shape),
    sparse,
  ];
  return all.filter((shape) => shape !== undefined);
}

const inPath = ({ parameters }: Operation) => parameters.filter((one) => one.in === "path");
const besidePath = ({ parameters }: Operation) => parameters.filter((one) => one.in !== "path");
const hasRequired = (operation: Operation) => besidePath(operation).some(({ required }) => required);

/** Facts of the requests of an operation. */
function factsOf(operation: Operation): object {
  const { method, path, body, repeatable, parameters } = operation;
  const byKey = (place: Parameter["in"]) =>
    Object.fromEntries(parameters.filter((one) => one.in === place).map(({ key, name }) => [key, name]));
  return {
    method,
    path,
    query: byKey("query"),
    headers: byKey("header"),
    ...(body && { type: body.type }),
    repeatable,
  };
}

/** Media types that `Accept` chooses from; with a parameter `format`, that one chooses. */
function choices({ answers, parameters }: Operation): readonly Answer[] {
  return answers.length > 1 && !parameters.some(({ name }) => name === "format") ? answers : [];
}

function writeOptions(operation: Operation): string[] {
  const { id } = operation;
  const parameters = besidePath(operation).map(
    ({ key, required, shape, description }) =>
      `${comment(description, "  ")}  readonly ${typescriptKey(key)}${required ? "" : "?"}: ${typeOf(shape)}${required ? "" : " | undefined"};`,
  );
  const options =
    parameters.length > 0
      ? [`export interface ${pascal(id)}Options extends CallOptions {\n${parameters.join("\n")}\n}`]
      : [];
  if (isStream(operation) || choices(operation).length === 0) return options;
  const answers = operation.answers.map(
    (answer) => `  readonly ${JSON.stringify(answer.type)}: ${typeOfAnswer(answer)};`,
  );
  return [
    ...options,
    `/** Answers of \`${id}\` by media type. */\nexport interface ${pascal(id)}Answers {\n${answers.join("\n")}\n}`,
  ];
}

function typeOfAnswer({ type, shape }: Answer): string {
  if (type.includes("json")) return typeOf(shape);
  return type.startsWith("text/") ? "string" : "Uint8Array";
}

function writeMethod(operation: Operation): string {
  const { id, method, path, description, sparse, answers, mayBeEmpty } = operation;
  const head = comment(`${description}. \`${method} ${path}\``, "  ");
  const returned = [
    ...answers.map(typeOfAnswer),
    ...(mayBeEmpty ? [answers.length > 0 ? "undefined" : "void"] : []),
  ].join(" | ");
  if (isStream(operation)) return head + writeStream(operation);
  const list = choices(operation);
  if (list.length > 0) {
    const map = `${pascal(id)}Answers`;
    const accept = `{ readonly accept?: A | undefined }`;
    const generic = `<A extends keyof ${map} = ${JSON.stringify(JSON_TYPE)}>`;
    return head + writeBody(operation, { generic, extra: ` & ${accept}`, returned: `${map}[A]` });
  }
  if (!sparse) return head + writeBody(operation, { returned });
  const whole = `  ${id}(${declare(operation, " & { readonly fields?: undefined }")}): Promise<${returned}>;\n`;
  const some = `  ${id}(${declare(operation)}): Promise<${returned} | ${typeOf(sparse)}>;\n`;
  return head + whole + some + writeBody(operation, { returned: `${returned} | ${typeOf(sparse)}` });
}

function writeBody(
  operation: Operation,
  {
    generic = "",
    extra = "",
    returned,
  }: { readonly generic?: string; readonly extra?: string; readonly returned: string },
): string {
  const { id, body } = operation;
  const path = inPath(operation)
    .map(({ key }) => key)
    .join(", ");
  const sent = [...(path ? [`path: { ${path} }`] : []), ...(body ? ["body"] : []), "options"].join(", ");
  return `  ${id}${generic}(${signature(operation, extra)}): Promise<${returned}> {
    return this.call(facts.${id}, { ${sent} });
  }`;
}

/** With `follow: false` the events missed, in one answer; otherwise the stream. */
function writeStream(operation: Operation): string {
  const { id, answers } = operation;
  const [{ shape } = { shape: { kind: "any" } as Shape }] = answers;
  const event = typeOf(shape.kind === "list" ? shape.items : shape);
  return `  async *${id}(options: ${pascal(id)}Options = {}): AsyncGenerator<${event}, void, undefined> {
    if (options.follow === false) yield* await this.call<readonly ${event}[]>(facts.${id}, { options });
    else yield* this.follow<${event}>(facts.${id}, { options });
  }`;
}

/** Parameters of an implementation. */
function signature(operation: Operation, extra: string): string {
  return `${declare(operation, extra).replace("options?:", "options:")}${hasRequired(operation) ? "" : " = {}"}`;
}

/** Parameters of a declaration. */
function declare(operation: Operation, extra = ""): string {
  const { id, body } = operation;
  const path = inPath(operation).map(({ key }) => `${key}: ${key === "names" ? "Names" : "string"}`);
  const given = body && typeOfBody(body);
  const mayOmitBody = body && !body.required && !hasRequired(operation);
  const bodies = body
    ? [`body${mayOmitBody ? "?" : ""}: ${given}${!body.required && !mayOmitBody ? " | undefined" : ""}`]
    : [];
  const name = besidePath(operation).length > 0 ? `${pascal(id)}Options` : "CallOptions";
  return [...path, ...bodies, `options${hasRequired(operation) ? "" : "?"}: ${name}${extra}`].join(", ");
}

function typeOfBody({ type, shape }: NonNullable<Operation["body"]>): string {
  if (type.includes("json")) return typeOf(shape);
  return type.startsWith("text/") || type.includes("urlencoded") ? "string" : "Uint8Array<ArrayBuffer>";
}
