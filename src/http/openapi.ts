// The OpenAPI 3.1 document, made from the same schemas the routes carry.
import type { Access } from "./access.ts";
import { type ApiExample, examples } from "./examples.ts";
import type { ApiDocument, ApiOperation, ApiParameter, ApiResponse, JsonSchema } from "./openapi-document.ts";

/** What is needed of a route; the framework's own description of one has it. */
export interface DescribedRoute {
  readonly method: string;
  readonly path: string;
  readonly hooks: {
    readonly params?: JsonSchema;
    readonly query?: JsonSchema;
    readonly body?: JsonSchema;
    readonly response?: JsonSchema | Readonly<Record<string, JsonSchema>>;
    readonly detail?: {
      readonly summary?: string;
      readonly description?: string;
      readonly tags?: readonly string[];
      readonly scope?: Access;
      readonly conflict?: string;
    };
  };
}

const JSON_TYPE = "application/json";
const PROBLEM_TYPE = "application/problem+json";

const statusTexts: Readonly<Record<string, string>> = {
  "200": "The answer",
  "201": "Created",
  "202": "Accepted: a job does the work",
  "204": "Done",
  "400": "Something in the request is wrong; `path` names it",
  "401": "There is no token, or it is unknown",
  "403": "The token's scope is too small",
  "404": "Something named in the path does not exist",
  "413": "The body is too large",
  "415": "The body is not JSON",
  "429": "Too many wrong tokens from this address",
  default:
    "Any other problem: 500 a fault of the server; 502 a data source refuses, 503 it does not answer, or there is too much to do; 504 the wait was too long; 507 the disk is full",
};

const securitySchemes = {
  bearer: { type: "http", scheme: "bearer", description: "`Authorization: Bearer <token>`" },
  basic: { type: "http", scheme: "basic", description: "The token's name for user, the token for password" },
};

const Problem: JsonSchema = {
  type: "object",
  description: "RFC 9457 problem details, with the same text under `error` for older clients",
  required: ["type", "title", "status", "detail", "error", "code"],
  properties: {
    type: { type: "string", const: "about:blank" },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string", description: "What is wrong, the rule, and the way out" },
    error: { type: "string", description: "Same as `detail`" },
    code: { type: "string", description: "Stable, snake_case" },
    path: { type: "string", description: "Where in the request, as in `features.0.metric`" },
  },
};

/** @param routes of the application, in the order they are to be shown */
export function describeApi(routes: readonly DescribedRoute[], version: string): ApiDocument {
  const paths: Record<string, Record<string, ApiOperation>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = describeOperation(route, path);
  }
  const names = new Set(routes.flatMap(({ hooks }) => hooks.detail?.tags ?? []));
  const problems = Object.keys(statusTexts).filter((status) => status === "default" || status >= "400");
  return {
    openapi: "3.1.0",
    info: { title: "Torus", version, description: "Anomaly detection and forecasting for time series." },
    tags: [...names].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Problem },
      securitySchemes,
      responses: Object.fromEntries(
        problems.map((status) => [nameOfProblem(status), describeProblem(statusTexts[status]!)]),
      ),
    },
  };
}

function nameOfProblem(status: string): string {
  return status === "default" ? "Problem" : `Problem${status}`;
}

function describeProblem(description: string): ApiResponse {
  const schema = { $ref: "#/components/schemas/Problem" };
  return { description, content: { [PROBLEM_TYPE]: { schema } } };
}

function describeOperation({ method, path: rawPath, hooks }: DescribedRoute, path: string): ApiOperation {
  const { summary = "", description, tags = [] } = hooks.detail ?? {};
  const example = examples[`${method} ${rawPath}`];
  const words = path.split(/[/{}_]+/).filter(Boolean);
  const body = hooks.body && clean(hooks.body);
  return {
    operationId: [method.toLowerCase(), ...words].join("_"),
    summary,
    ...(description && { description }),
    tags,
    security: describeSecurity(hooks),
    parameters: [...describeParameters(hooks.params, "path"), ...describeParameters(hooks.query, "query")],
    ...(body && {
      requestBody: {
        required: method !== "POST" || (example?.request !== undefined && !isOptional(body)),
        content: {
          [example?.accepts ?? JSON_TYPE]: {
            schema: body,
            ...(example?.request !== undefined && { example: example.request }),
          },
        },
      },
    }),
    responses: { ...describeAnswers(hooks.response, example), ...describeProblems(hooks) },
  };
}

/** A body of which every part may be left out, or stand in the query instead. */
function isOptional({ properties, required }: JsonSchema): boolean {
  return properties !== undefined && !(required as string[] | undefined)?.length;
}

function describeSecurity({ detail }: DescribedRoute["hooks"]): ApiOperation["security"] {
  const { scope = "admin" } = detail ?? {};
  return scope === "open" ? [] : Object.keys(securitySchemes).map((scheme) => ({ [scheme]: [scope] }));
}

function describeParameters(schema: JsonSchema | undefined, place: "path" | "query"): ApiParameter[] {
  const properties = (schema?.properties ?? {}) as Record<string, JsonSchema>;
  const required = (schema?.required ?? []) as string[];
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = clean(property);
    return {
      name,
      in: place,
      required: place === "path" || required.includes(name),
      ...(typeof description === "string" && { description }),
      schema: rest,
    };
  });
}

function describeAnswers(response: DescribedRoute["hooks"]["response"], example: ApiExample | undefined) {
  const isByStatus = response !== undefined && Object.keys(response).every((key) => /^\d{3}$/.test(key));
  const byStatus = (isByStatus ? response : { "200": response ?? {} }) as Record<string, JsonSchema>;
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, schema]) => [
      status,
      describeAnswer(status, clean(schema), example),
    ]),
  );
}

function describeAnswer(status: string, schema: JsonSchema, example: ApiExample | undefined): ApiResponse {
  const description = statusTexts[status] ?? "The answer";
  if (status === "204") return { description };
  const type = example?.type ?? JSON_TYPE;
  const shown = example?.response === undefined ? {} : { example: example.response };
  return { description, content: { [type]: { schema, ...shown } } };
}

function describeProblems({ params, body, detail }: DescribedRoute["hooks"]) {
  const guarded = detail?.scope === "open" ? [] : ["401", "403", "429"];
  const statuses = [
    "400",
    ...guarded,
    ...(params ? ["404"] : []),
    ...(body ? ["413", "415"] : []),
    "default",
  ];
  return {
    ...Object.fromEntries(
      statuses.map((status) => [status, { $ref: `#/components/responses/${nameOfProblem(status)}` }]),
    ),
    ...(detail?.conflict && { "409": describeProblem(detail.conflict) }),
  };
}

/** Our own keywords say how a rule is worded to a client; they mean nothing to other readers of the schema. */
function clean(schema: JsonSchema): JsonSchema {
  return JSON.parse(
    JSON.stringify(schema, (key, value) => (key === "rule" ? undefined : value)),
  ) as JsonSchema;
}
