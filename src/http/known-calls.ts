// Required parameters and bodies of calls by the schemas of their routes; values are checked by the call itself.
import { invalid } from "../core/errors.ts";
import { REQUIRED } from "../core/input/optional.ts";
import { didYouMean } from "../core/input/suggest.ts";
import { type Route, toPattern } from "./framework/known-methods.ts";

/** A request that is sent later. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly params?: Values | undefined;
  readonly json?: Values | undefined;
}

type Values = Readonly<Record<string, unknown>>;

interface CallSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, CallSchema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly CallSchema[];
  readonly oneOf?: readonly CallSchema[];
  readonly additionalProperties?: unknown;
  readonly [REQUIRED]?: boolean;
}

interface CallRoute extends Route {
  readonly hooks: { readonly query?: unknown; readonly body?: unknown };
}

const FAILS = "each run would fail without it";

/**
 * Checks that a call holds what its route requires.
 * @param routes all routes; a call that none of them matches is not checked
 * @throws TorusError `invalid` naming `params.NAME`, `json` or `json.NAME`
 */
export function requireCall(routes: readonly CallRoute[], call: Call): void {
  const route = findRoute(routes, call);
  if (!route) return;
  const query = readSchema(route.hooks.query);
  const body = isRead(call) ? {} : readSchema(route.hooks.body);
  const target = `${route.method} ${call.path}`;
  for (const name of query.required ?? [])
    if (!isGiven(call.params, name)) throw invalid(`params.${name}`, `is required by ${target}: ${FAILS}`);
  requireEither(call, { query, body, target });
  requireBody(call, { body, target });
}

/** The most specific route of a call. */
function findRoute(routes: readonly CallRoute[], { method, path }: Call): CallRoute | undefined {
  const name = method.toUpperCase() === "HEAD" ? "GET" : method.toUpperCase();
  const matches = routes.filter((route) => route.method === name && toPattern(route.path).test(path));
  const openness = ({ path }: CallRoute) => path.split("/:").length;
  return matches.sort((a, b) => openness(a) - openness(b))[0];
}

/** A schema of the framework as it is published. */
function readSchema(schema: unknown): CallSchema {
  return schema === undefined ? {} : JSON.parse(JSON.stringify(schema));
}

/** Whether the request is sent without a body. */
function isRead({ method }: Call): boolean {
  return ["get", "head"].includes(method.toLowerCase());
}

function isGiven(values: Values | undefined, name: string): boolean {
  const value = values && Object.hasOwn(values, name) ? values[name] : undefined;
  return value !== undefined && value !== null && value !== "";
}

interface Expected {
  readonly query: CallSchema;
  readonly body: CallSchema;
  /** Method and path, for messages. */
  readonly target: string;
}

/** Requires what may be in the query or in the body. */
function requireEither({ params, json }: Call, { query, body, target }: Expected): void {
  const places = [
    ["params", query.properties, params],
    ["json", body.properties, json],
  ] as const;
  for (const [place, properties] of places)
    for (const [name, schema] of Object.entries(properties ?? {})) {
      const isKnown = places.some(([, known, values]) => known?.[name] && isGiven(values, name));
      if (schema[REQUIRED] && !isKnown)
        throw invalid(`${place}.${name}`, `is required by ${target}: ${FAILS}`);
    }
}

/** Requires the body and its fields; of alternatives, those of one that the given values fit. */
function requireBody({ method, json }: Call, { body, target }: Omit<Expected, "query">): void {
  if (body.type === "array" || body[REQUIRED])
    throw invalid(
      "relative_url",
      `${target} takes a ${body.type === "array" ? "list" : "text"} as body, and a scheduled job can send an object alone`,
    );
  const alternatives = body.anyOf ?? body.oneOf ?? [body];
  // Beside a list, objects of other systems are taken, too: the call itself knows their fields.
  const isOpen = json !== undefined && alternatives.some(({ type }) => type === "array");
  const members = isOpen ? [] : alternatives.filter((one) => one.type !== "array" && fits(one, json ?? {}));
  if (alternatives.length === 1) refuseUnknown(json, { body, target });
  const missing = members.map(({ required = [] }) =>
    required.filter((name) => !Object.hasOwn(json ?? {}, name)),
  );
  const [least = []] = missing.sort((a, b) => a.length - b.length);
  const needsBody = method.toLowerCase() === "patch" && body.type !== undefined;
  if (json === undefined && (needsBody || least.length > 0))
    throw invalid("json", `is required: ${target} takes a body, and ${FAILS}`);
  if (least[0]) throw invalid(`json.${least[0]}`, `is required by ${target}: ${FAILS}`);
}

/** Fields that the route refuses. */
function refuseUnknown(json: Values = {}, { body, target }: Omit<Expected, "query">): void {
  const known = Object.keys(body.properties ?? {});
  const unknown = Object.keys(json).find((name) => !known.includes(name));
  if (body.additionalProperties !== false || unknown === undefined) return;
  throw invalid(`json.${unknown}`, `is unknown to ${target}${didYouMean(unknown, known)}`);
}

function fits({ properties = {} }: CallSchema, json: Values): boolean {
  return Object.entries(properties).every(
    ([name, schema]) =>
      schema.const === undefined || !Object.hasOwn(json, name) || json[name] === schema.const,
  );
}
