// The API as clients see it: operations and schemas of the document, without what concerns one language.
import type {
  ApiDocument,
  ApiMedia,
  ApiOperation,
  ApiParameter,
  JsonSchema,
} from "../../src/http/docs/openapi-document.ts";
import { parameterName } from "./names.ts";
import { type Shape, toShape, toUnion } from "./shapes.ts";

export interface Api {
  readonly version: string;
  readonly operations: readonly Operation[];
  readonly schemas: readonly Schema[];
  /** Codes of errors. */
  readonly codes: readonly string[];
}

export interface Schema {
  readonly name: string;
  readonly shape: Shape;
  readonly description: string;
}

export interface Operation {
  /** `operationId`. */
  readonly id: string;
  readonly method: string;
  /** With `{name}` for each parameter of the path. */
  readonly path: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly type: string; readonly shape: Shape; readonly required: boolean } | undefined;
  /** By media type, JSON first. */
  readonly answers: readonly Answer[];
  /** Whether an answer may have no content. */
  readonly mayBeEmpty: boolean;
  /** Entries of an answer to `fields`. */
  readonly sparse: Shape | undefined;
  /** Whether it may be sent again where its answer is lost: RFC 9110 section 9.2.2, or `x-idempotent`. */
  readonly repeatable: boolean;
}

export interface Answer {
  readonly type: string;
  readonly shape: Shape;
}

export interface Parameter {
  /** As it is sent. */
  readonly name: string;
  /** In both clients; Python adds `_` to keywords. */
  readonly key: string;
  readonly in: ApiParameter["in"];
  readonly required: boolean;
  readonly description: string;
  readonly shape: Shape;
}

const JSON_TYPE = "application/json";
const STREAM_TYPE = "text/event-stream";
const idempotent: ReadonlySet<string> = new Set(["get", "put", "delete"]);
/** Layout of the JSON text: clients parse it. */
const hidden: ReadonlySet<string> = new Set(["pretty"]);

/** Whether an operation is a stream of events. */
export function isStream({ answers }: Operation): boolean {
  return answers.some(({ type }) => type === STREAM_TYPE);
}

/** Reads the document. @throws Error where clients cannot express a part of it */
export function readApi(document: ApiDocument): Api {
  const { schemas } = document.components;
  return {
    version: document.info.version,
    operations: Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) =>
        readOperation(document, { path, method, operation }),
      ),
    ),
    schemas: Object.entries(schemas).map(([name, schema]) => ({
      name,
      shape: toShape(schema),
      description: String(schema.description ?? ""),
    })),
    codes: readCodes(schemas.Problem ?? {}),
  };
}

function readCodes({ properties }: JsonSchema): string[] {
  const { code = {} } = (properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  const shape = toShape(code);
  return shape.kind === "union"
    ? shape.members.flatMap((each) => (each.kind === "literal" ? String(each.value) : []))
    : [];
}

interface Located {
  readonly path: string;
  readonly method: string;
  readonly operation: ApiOperation;
}

function readOperation(document: ApiDocument, { path, method, operation }: Located): Operation {
  const { operationId: id, summary, description, requestBody } = operation;
  const [bodyType, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const { answers, mayBeEmpty } = readAnswers(operation);
  const whole = answers.find(({ type }) => type === JSON_TYPE)?.shape;
  const hasFields = operation.parameters.some(({ name }) => name === "fields");
  const split = hasFields && whole?.kind === "union" ? whole.members : [];
  return {
    id,
    method: method.toUpperCase(),
    path,
    description: [summary, ...(description ? [description.replace(/\.$/, "")] : [])].join(". "),
    parameters: readParameters(operation, bodyKeys(document, media)),
    body:
      media && bodyType !== undefined
        ? { type: bodyType, shape: toShape(media.schema), required: requestBody!.required }
        : undefined,
    answers:
      split.length === 2
        ? answers.map((each) => (each.shape === whole ? { ...each, shape: split[0]! } : each))
        : answers,
    mayBeEmpty,
    sparse: split[1],
    repeatable: idempotent.has(method) || operation["x-idempotent"] === true,
  };
}

/** Keys that the body of an operation has in its schema. */
function bodyKeys({ components }: ApiDocument, media: ApiMedia | undefined): ReadonlySet<string> {
  const { $ref } = media?.schema ?? {};
  const named =
    typeof $ref === "string" ? components.schemas[$ref.slice($ref.lastIndexOf("/") + 1)] : media?.schema;
  return new Set(Object.keys((named?.properties ?? {}) as object));
}

/** Without those of the query that the body has, too. */
function readParameters({ operationId, parameters }: ApiOperation, inBody: ReadonlySet<string>): Parameter[] {
  const shown = parameters.filter(
    ({ name, in: place }) => !hidden.has(name) && !(place === "query" && inBody.has(name)),
  );
  const read = shown.map(({ name, in: place, required, description = "", schema }) => ({
    name,
    key: parameterName(name),
    in: place,
    required,
    description,
    shape: toShape(schema),
  }));
  if (new Set(read.map(({ key }) => key)).size < read.length)
    throw new Error(`${operationId} has two parameters of one name`);
  return read;
}

/** Media types of the good answers; those of several statuses are one union. */
function readAnswers({ responses }: ApiOperation): Pick<Operation, "answers" | "mayBeEmpty"> {
  const good = Object.entries(responses).flatMap(([status, response]) =>
    status.startsWith("2") && !("$ref" in response) ? [response.content] : [],
  );
  const media = good.flatMap((content) => Object.entries(content ?? {}));
  const answers = [...Map.groupBy(media, ([type]) => type)].map(([type, all]) => ({
    type,
    shape: toUnion(all.map(([, { schema }]) => toShape(schema))),
  }));
  return {
    answers: answers.sort((a, b) => Number(b.type === JSON_TYPE) - Number(a.type === JSON_TYPE)),
    mayBeEmpty: good.some((content) => content === undefined),
  };
}
