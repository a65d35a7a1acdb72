// Elysia as this service uses it: its configuration, and everything that works around its defaults.
import { Kind, type TSchema, type TUnsafe } from "@sinclair/typebox";
import { type AnyElysia, Elysia } from "elysia";
import { invalid } from "../../core/errors.ts";
import type { AnswerHeaders } from "./answer.ts";

/** TypeBox kind whose compiled check is `true`; a custom kind would be looked up for each value. */
const UNCHECKED_KIND = "Unknown";
/** Shortest host, scheme included, behind which the router finds the path of an HTTPS URL. */
const MIN_HTTPS_ORIGIN = "https://abc";

/**
 * A fresh instance. `normalize: false` keeps unknown keys of bodies. `standardHostname` says where the router starts
 * to look for the path: false works behind `http://` with hosts of any length, behind `https://` it must be true.
 * `gcTime: null` avoids a timer of the framework.
 * @param tls whether URLs begin with `https://`; only the outermost instance of an application needs it
 */
export function createInstance({ tls = false } = {}) {
  return new Elysia({
    normalize: false,
    handler: { standardHostname: tls },
    sucrose: { gcTime: null },
  });
}

/** Over HTTPS the router takes a host of one or two letters for part of the path. @throws TorusError `invalid` */
export function checkHttpsHost(url: string): void {
  if (url.indexOf("/", "https://".length) < MIN_HTTPS_ORIGIN.length)
    throw invalid("host", "must have at least three letters, or a port");
}

/**
 * A schema that documents a route without validating it: the resources validate, with better messages. The framework sees
 * an unknown value, in which it coerces nothing and fills in no defaults; as JSON it is the schema.
 */
export function documented<T = unknown>(schema: TSchema): TUnsafe<T> {
  return { [Kind]: UNCHECKED_KIND, toJSON: () => schema } as unknown as TUnsafe<T>;
}

/** Steps of every request, in this order; each may throw. */
export interface Pipeline {
  /** Before routing: checks, headers of the answer. @returns an answer that ends the request */
  admit(request: Request, set: { headers: AnswerHeaders }): Response | undefined;
  /** After routing, before the body is read. @param route pattern of the matched route */
  authorize(request: Request, route: string): void;
  /** @returns the body; never undefined, or the framework reads it a second time */
  parseBody(request: Request): unknown;
  /** @param value returned by the route */
  renderAnswer(request: Request, value: unknown, headers: AnswerHeaders): Response;
  renderError(request: Request, error: unknown): Response;
}

/** @returns the application as a function; it rejects only where something that is no object was thrown */
export function compile(
  routes: AnyElysia,
  pipeline: Pipeline,
  { tls }: { readonly tls: boolean },
): (request: Request) => Response | Promise<Response> {
  // The framework awaits hooks whose text is `=> call(...)` or `return call(...)`; others stay synchronous.
  const app = createInstance({ tls })
    .onRequest(({ request, set }) => {
      const answer = pipeline.admit(request, set as { headers: AnswerHeaders });
      return answer;
    })
    // Bodies are parsed before `onTransform`, and only where there is one: both hooks authorize.
    .onParse({ as: "global" }, ({ request, route }) => {
      pipeline.authorize(request, route);
      return pipeline.parseBody(request);
    })
    .onTransform({ as: "global" }, ({ request, route }) => {
      pipeline.authorize(request, route);
    })
    .onError({ as: "global" }, ({ request, error }) => {
      const answer = pipeline.renderError(request, error);
      return answer;
    })
    .mapResponse({ as: "global" }, ({ response, request, set }) => {
      if (response instanceof Response) return undefined;
      const answer = pipeline.renderAnswer(request, response, set.headers as AnswerHeaders);
      // It has its headers; with any left here the framework would rebuild it.
      set.headers = {};
      set.status = 200;
      return answer;
    })
    .use(routes)
    .compile();
  // `app.handle` would wrap this in one more promise.
  return app.fetch;
}
