// OpenAPI 3.1 document, derived from the schemas of the routes.
import { Problem } from "../../api/problem.ts";
import type { Access } from "../framework/access.ts";
import type { Dialect } from "../framework/dialect.ts";
import { PROBLEM_TYPE } from "../framework/errors.ts";
import { query } from "../framework/params.ts";
import { Components } from "./components.ts";
import { examples } from "./examples/index.ts";
import type { ApiExample } from "./examples/shared.ts";
import type { ApiDocument, ApiOperation, ApiParameter, ApiResponse, JsonSchema } from "./openapi-document.ts";
import { withSparse } from "./sparse.ts";

/** A route of the framework with its schemas. */
export interface DescribedRoute {
  readonly method: string;
  readonly path: string;
  readonly hooks: {
    readonly params?: JsonSchema;
    /** Absent: the parameters of every route. */
    readonly query?: JsonSchema;
    readonly body?: JsonSchema;
    readonly response?: JsonSchema | Readonly<Record<string, JsonSchema>>;
    readonly detail?: {
      readonly summary?: string;
      readonly description?: string;
      readonly tags?: readonly string[];
      readonly scope?: Access;
      readonly conflict?: string;
      readonly precondition?: boolean;
      readonly idempotent?: boolean;
      /** Not part of the document: files of the dashboard. */
      readonly hide?: boolean;
      /** Schemas of further content types of an answer with status 200. */
      readonly media?: Readonly<Record<string, JsonSchema>>;
      readonly dialect?: Dialect;
    };
  };
}

const JSON_TYPE = "application/json";

const statusTexts: Readonly<Record<string, string>> = {
  "200": "Success",
  "201": "Created",
  "202": "Accepted: a job does the work",
  "204": "Success, no content",
  "400": "The request is invalid; `path` names the field",
  "401": "The token is missing or unknown",
  "403": "The scope of the token does not suffice",
  "404": "A resource named in the path does not exist",
  "412": "`If-Match` does not match; `etag` is the current tag",
  "413": "The body is too large",
  "415": "The content type is not supported",
  "429": "Too many wrong tokens from this address; retry later",
  "503": "Not ready; `error` is the reason",
  default:
    "Other problems: 500 internal error; 502 a data source rejects the request; 503 a data source is unavailable, or the server overloaded; 504 timeout; 507 disk full",
};

const ifMatch: ApiParameter = {
  name: "If-Match",
  in: "header",
  required: false,
  description: "Change it only if its `ETag` is this one, as a GET of this one name answered it",
  schema: { type: "string" },
};

/** Packing of the body; a message of remote write is always packed. */
function describeEncoding(method: string, { detail }: DescribedRoute["hooks"]): ApiParameter[] {
  const encoding = method === "POST" ? detail?.dialect?.encoding : undefined;
  if (encoding === undefined) return [];
  const description =
    encoding === "snappy" ? "Packing of the body, always snappy" : "Packing of the body, if any";
  const schema = { type: "string", const: encoding };
  return [{ name: "Content-Encoding", in: "header", required: false, description, schema }];
}

const securitySchemes = {
  bearer: { type: "http", scheme: "bearer", description: "`Authorization: Bearer <token>`" },
  basic: { type: "http", scheme: "basic", description: "Name of the token as user, the token as password" },
};

/** @param routes of the application, in the order of the document */
export function describeApi(routes: readonly DescribedRoute[], version: string): ApiDocument {
  const listed = routes.filter(({ hooks }) => !hooks.detail?.hide);
  const shown = listed.map(
    ({ method, path, hooks }): DescribedRoute => ({ method, path, hooks: toJson(hooks) }),
  );
  const components = new Components();
  const paths: Record<string, Record<string, ApiOperation>> = {};
  for (const route of shown) {
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = describeOperation(route, components);
  }
  const names = new Set(shown.flatMap(({ hooks }) => hooks.detail?.tags ?? []));
  const problems = Object.keys(statusTexts).filter((status) => status === "default" || /^4/.test(status));
  const responses = Object.fromEntries(
    problems.map((status) => [nameOfProblem(status), describeProblem(statusTexts[status]!, components)]),
  );
  return {
    openapi: "3.1.0",
    info: { title: "Torus", version, description: "Anomaly detection and forecasting for time series." },
    // Relative to the document: it may be behind a prefix of a proxy.
    servers: [{ url: ".", description: "The server of this document" }],
    tags: [...names].map((name) => ({ name })),
    paths,
    components: {
      schemas: components.list(),
      securitySchemes: { ...securitySchemes, ...keySchemes(shown) },
      responses,
    },
  };
}

/** Schemas as they are shown, see `documented`. */
function toJson(hooks: DescribedRoute["hooks"]): DescribedRoute["hooks"] {
  const { params, query: own = query(), body, response, detail } = hooks;
  return JSON.parse(JSON.stringify({ params, query: own, body, response, detail }));
}

function nameOfProblem(status: string): string {
  return status === "default" ? "Problem" : `Problem${status}`;
}

function describeProblem(
  description: string,
  components: Components,
  { problem, problemType = JSON_TYPE }: { readonly problem?: JsonSchema; readonly problemType?: string } = {},
): ApiResponse {
  const schema = components.refer(problem ?? Problem);
  // A problem is JSON, and named as such to clients that ask for it.
  const types = problem ? [problemType] : [JSON_TYPE, PROBLEM_TYPE];
  return { description, content: Object.fromEntries(types.map((type) => [type, { schema }])) };
}

function describeOperation({ method, path, hooks }: DescribedRoute, components: Components): ApiOperation {
  const { summary = "", description, tags = [] } = hooks.detail ?? {};
  const example = examples[`${method} ${path}`];
  return {
    operationId: example?.id ?? "",
    summary,
    ...(description && { description }),
    tags,
    security: describeSecurity(hooks),
    parameters: [
      ...describeParameters(hooks.params, "path", components),
      ...describeParameters(hooks.query, "query", components),
      ...(hooks.detail?.precondition ? [ifMatch] : []),
      ...describeEncoding(method, hooks),
    ],
    ...(hooks.body && { requestBody: describeBody(hooks.body, { method, example, components }) }),
    ...(hooks.detail?.idempotent && { "x-idempotent": true }),
    responses: {
      ...describeAnswers(hooks, example, components),
      ...describeProblems({ path, hooks }, components),
    },
  };
}

interface BodyContext {
  readonly method: string;
  readonly example: ApiExample | undefined;
  readonly components: Components;
}

function describeBody(
  body: JsonSchema,
  { method, example, components }: BodyContext,
): NonNullable<ApiOperation["requestBody"]> {
  const shown = example?.request === undefined ? {} : { example: example.request };
  const isRequired = example?.request !== undefined && !isOptional(body);
  return {
    required: method !== "POST" || isRequired,
    content: { [example?.accepts ?? JSON_TYPE]: { schema: components.refer(body), ...shown } },
  };
}

/** Whether all parts of a body are optional, as they may be in the query. */
function isOptional({ properties, required }: JsonSchema): boolean {
  return properties !== undefined && !(required as string[] | undefined)?.length;
}

function describeSecurity({ detail }: DescribedRoute["hooks"]): ApiOperation["security"] {
  const { scope = "admin", dialect: { keyHeader } = {} } = detail ?? {};
  const schemes = [...Object.keys(securitySchemes), ...(keyHeader ? [keyHeader] : [])];
  return scope === "open" ? [] : schemes.map((scheme) => ({ [scheme]: [scope] }));
}

/** Schemes of the headers that hold a token in the dialects of the routes, by the header. */
function keySchemes(routes: readonly DescribedRoute[]): Record<string, JsonSchema> {
  const names = new Set(routes.flatMap(({ hooks }) => hooks.detail?.dialect?.keyHeader ?? []));
  return Object.fromEntries(
    [...names].map((name) => [name, { type: "apiKey", in: "header", name, description: "The token" }]),
  );
}

function describeParameters(
  schema: JsonSchema | undefined,
  place: "path" | "query",
  components: Components,
): ApiParameter[] {
  const properties = (schema?.properties ?? {}) as Record<string, JsonSchema>;
  const required = (schema?.required ?? []) as string[];
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = components.refer(property);
    return {
      name,
      in: place,
      required: place === "path" || required.includes(name),
      ...(typeof description === "string" && { description }),
      schema: rest,
    };
  });
}

function describeAnswers(
  { query, response, detail }: DescribedRoute["hooks"],
  example: ApiExample | undefined,
  components: Components,
) {
  const isByStatus = response !== undefined && Object.keys(response).every((key) => /^\d{3}$/.test(key));
  const hasFields = Object.hasOwn((query?.properties ?? {}) as object, "fields");
  const whole = (response ?? {}) as JsonSchema;
  const byStatus = (isByStatus ? response : { "200": hasFields ? withSparse(whole) : whole }) as Record<
    string,
    JsonSchema
  >;
  const further = Object.entries(detail?.media ?? {}).map(
    ([type, schema]) => [type, { schema: components.refer(schema) }] as const,
  );
  const described = Object.fromEntries(
    Object.entries(byStatus).map(([status, schema]) => [
      status,
      describeAnswer(status, components.refer(schema), example),
    ]),
  );
  if (further.length === 0) return described;
  const { description = statusTexts["200"]!, content } = described["200"] ?? {};
  return { ...described, "200": { description, content: { ...content, ...Object.fromEntries(further) } } };
}

function describeAnswer(status: string, schema: JsonSchema, example: ApiExample | undefined): ApiResponse {
  const description = statusTexts[status] ?? "Success";
  if (schema.type === "null") return { description: status === "202" ? "Accepted, no content" : description };
  const type = example?.type ?? JSON_TYPE;
  const shown = example?.response === undefined || status >= "400" ? {} : { example: example.response };
  return { description, content: { [type]: { schema, ...shown } } };
}

function describeProblems(
  { path, hooks: { body, detail } }: Pick<DescribedRoute, "path" | "hooks">,
  components: Components,
) {
  const guarded = detail?.scope === "open" ? [] : ["401", "403", "429"];
  const statuses = [
    "400",
    ...guarded,
    ...(path.includes(":") ? ["404"] : []),
    ...(detail?.precondition ? ["412"] : []),
    ...(body ? ["413", "415"] : []),
    "default",
  ];
  const { conflict, dialect: { problem, problemType } = {} } = detail ?? {};
  return {
    ...Object.fromEntries(
      statuses.map((status) => [
        status,
        problem
          ? describeProblem(statusTexts[status]!, components, {
              problem,
              ...(problemType && { problemType }),
            })
          : { $ref: `#/components/responses/${nameOfProblem(status)}` },
      ]),
    ),
    ...(conflict && { "409": describeProblem(conflict, components) }),
  };
}
