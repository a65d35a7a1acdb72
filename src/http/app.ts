// The HTTP application: guards, routes and the rendering of answers and errors, put together.
import { NotFoundError } from "elysia";
import { TorusError } from "../core/errors.ts";
import { renderAnswer } from "./answer.ts";
import { createBucketRoutes } from "./buckets.ts";
import type { AppDeps } from "./deps.ts";
import { createDocumentationRoutes } from "./documentation.ts";
import { renderProblem, toTorusError } from "./errors.ts";
import { checkRequest, describeRequest, parseBody, type RequestInfo } from "./guard.ts";
import { createHookRoutes } from "./hooks.ts";
import { createInstance } from "./instance.ts";
import { createJobRoutes } from "./jobs.ts";
import { createLiveRoutes } from "./live.ts";
import { createModelRoutes } from "./models.ts";
import type { DescribedRoute } from "./openapi.ts";
import { createPredictionRoutes } from "./predictions.ts";
import { createRootRoutes } from "./root.ts";
import { createMethodTable } from "./routes.ts";
import { createScheduledJobRoutes } from "./scheduled-jobs.ts";
import { createTemplateRoutes } from "./templates.ts";

/** Anything with a `handle`; the service serves it, tests call it. */
export interface App {
  handle(request: Request): Promise<Response>;
}

/** Puts the application together. */
export function createApp(deps: AppDeps): App {
  const infos = new WeakMap<Request, RequestInfo>();
  const infoOf = (request: Request) => infos.get(request) ?? describeRequest(request);
  const routes = createRoutes(deps);
  const explainMiss = createMethodTable(routes.routes);

  const answerError = (request: Request, error: unknown): Response => {
    const { id, path, pretty } = infoOf(request);
    const { method } = request;
    const known = error instanceof NotFoundError ? explainMiss(path, method) : toTorusError(error);
    if (!known || known.code === "internal")
      deps.log.error("request failed", { request_id: id, method, path, error });
    const unread = request.body !== null && !request.bodyUsed;
    return renderProblem(known ?? new TorusError("internal", ""), { requestId: id, pretty, method, unread });
  };

  const app = createInstance()
    .onRequest(({ request, set }) => {
      const info = describeRequest(request);
      infos.set(request, info);
      Object.assign(set.headers, headersOf(info));
      checkRequest(request, info, deps.limits);
    })
    .onParse({ as: "global" }, ({ request }) => parseBody(request, deps.limits))
    .onError({ as: "global" }, ({ error, request }) => answerError(request, error))
    .mapResponse({ as: "global" }, ({ response, request }) =>
      response instanceof Response ? undefined : renderAnswer(response, infoOf(request).pretty),
    )
    .use(routes)
    .compile();

  return {
    handle: async (request) => {
      try {
        return await app.handle(request);
      } catch (error) {
        // What is not even an error, as in `throw undefined`, breaks the framework's own handling.
        return addHeaders(answerError(request, error), headersOf(infoOf(request)));
      }
    },
  };
}

function createRoutes(deps: AppDeps) {
  const routes = createInstance()
    .use(createRootRoutes(deps))
    .use(createBucketRoutes(deps))
    .use(createModelRoutes(deps))
    .use(createPredictionRoutes(deps))
    .use(createLiveRoutes(deps))
    .use(createHookRoutes(deps))
    .use(createTemplateRoutes(deps))
    .use(createJobRoutes(deps))
    .use(createScheduledJobRoutes(deps));
  return routes.use(createDocumentationRoutes(() => describedRoutes(routes.routes), deps.node.version));
}

/** The framework's own description of its routes holds the schemas as they were given. */
function describedRoutes(routes: readonly unknown[]): readonly DescribedRoute[] {
  return routes as readonly DescribedRoute[];
}

/** Headers of every answer. */
function headersOf({ id }: RequestInfo): Record<string, string> {
  return { "x-request-id": id, "x-content-type-options": "nosniff" };
}

function addHeaders(response: Response, headers: Record<string, string>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}
