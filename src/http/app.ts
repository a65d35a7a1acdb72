// The HTTP application: guards, routes and the rendering of answers and errors, put together.
import { NotFoundError } from "elysia";
import type { Principal } from "../core/access/token.ts";
import { TorusError } from "../core/errors.ts";
import type { DescribedRoute } from "./docs/openapi.ts";
import { AccessTable } from "./framework/access.ts";
import { type AnswerHeaders, renderAnswer } from "./framework/answer.ts";
import { challengeFor } from "./framework/auth.ts";
import { BodyBudget } from "./framework/body-budget.ts";
import { Cors } from "./framework/cors.ts";
import type { AppDeps } from "./framework/deps.ts";
import { renderProblem, toTorusError } from "./framework/errors.ts";
import { checkHost, checkRequest } from "./framework/guard.ts";
import { createInstance } from "./framework/instance.ts";
import { parseBody } from "./framework/json-body.ts";
import { createMethodTable } from "./framework/known-methods.ts";
import { isLinePath, readLineBody, renderLineProblem } from "./framework/line-body.ts";
import { admitRequest, infoOf, type RequestInfo } from "./framework/request-context.ts";
import { createApplyRoutes } from "./routes/apply.ts";
import { createBacktestRoutes } from "./routes/backtests.ts";
import { createBackupRoutes } from "./routes/backup.ts";
import { createBucketRoutes } from "./routes/buckets.ts";
import { createDetectionRoutes } from "./routes/detections.ts";
import { createDocumentationRoutes } from "./routes/documentation.ts";
import { createGlobalHookRoutes } from "./routes/global-hooks.ts";
import { createHealthRoutes } from "./routes/health.ts";
import { createHookRoutes } from "./routes/hooks.ts";
import { createJobRoutes } from "./routes/jobs.ts";
import { createLineRoutes } from "./routes/lines.ts";
import { createLiveRoutes } from "./routes/live.ts";
import { createModelTransferRoutes } from "./routes/model-transfer.ts";
import { createModelRoutes } from "./routes/models.ts";
import { createPredictionRoutes } from "./routes/predictions.ts";
import { createRootRoutes } from "./routes/root.ts";
import { createScheduledJobRoutes } from "./routes/scheduled-jobs.ts";
import { createTemplateRoutes } from "./routes/templates.ts";
import { createTokenRoutes } from "./routes/tokens.ts";

/** Those that are counted by name. */
const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Anything with a `handle`; the service serves it, tests call it. */
export interface App {
  /** @param principal who sends it, where that is known beforehand; absent: its credentials say so */
  handle(request: Request, principal?: Principal): Promise<Response>;
}

/** Puts the application together. */
export function createApp(deps: AppDeps): App {
  const routes = createRoutes(deps);
  const answerError = createErrorAnswer(deps, createMethodTable(routes.routes));
  const access = new AccessTable(describedRoutes(routes.routes));
  const cors = new Cors(deps.cors);
  const hstsSeconds = deps.tls ? deps.hstsSeconds : 0;
  const budget = new BodyBudget(deps.limits.bodiesInFlightBytes);

  // Elysia awaits what reads `=> call(...)` or `return call(...)`: a body in braces keeps a hook synchronous.
  const app = createInstance({ tls: deps.tls })
    .onRequest(({ request, set }) => {
      const info = infoOf(request);
      // One object, made at once: headers added one by one, or to a response already made, cost more.
      set.headers = headersOf(info, hstsSeconds);
      if (cors.isOn) Object.assign(set.headers, cors.headersFor(request));
      if (deps.tls) checkHost(request.url);
      deps.hosts.check(request);
      const preflight = cors.answerPreflight(request);
      if (preflight) return preflight;
      // Before credentials are looked at: a page that guesses must not lock others out.
      cors.refuseOtherSites(request);
      if (!info.principal && !access.isOpen(info.path))
        info.principal = deps.auth.identify(request, info.path);
      checkRequest(request, info, deps.limits);
      return undefined;
    })
    // A body is read after this, and only from those who may send it.
    .onParse({ as: "global" }, ({ request, route }) => {
      access.check(request, route);
      const info = infoOf(request);
      const take = reserve(info, budget, request);
      if (isLinePath(info.path)) return readLineBody(request, deps.limits.writeBytes, take);
      return parseBody(request, deps.limits, take);
    })
    .onTransform({ as: "global" }, ({ request, route }) => {
      access.check(request, route);
    })
    .onError({ as: "global" }, ({ error, request, route }) => {
      if (route) infoOf(request).route = route;
      return answerError(request, error);
    })
    .mapResponse({ as: "global" }, ({ response, request, route, set }) => {
      const info = infoOf(request);
      info.route = route;
      if (response instanceof Response) return undefined;
      const rendered = renderAnswer(response, info.pretty, set.headers as AnswerHeaders);
      // It has its headers; with any left here the framework would take it apart and make another.
      set.headers = {};
      set.status = 200;
      return rendered;
    })
    .use(routes)
    .compile();
  // `app.handle` would be one more promise around this.
  const { fetch: route } = app;

  return {
    handle: async (request, principal) => {
      const startedAt = performance.now();
      const info = admitRequest(request, principal);
      let response: Response;
      try {
        response = await route(request);
      } catch (error) {
        // What is not even an error, as in `throw undefined`, breaks the framework's own handling.
        response = addHeaders(answerError(request, error), headersOf(info, hstsSeconds));
      } finally {
        info.account?.close();
      }
      const ms = performance.now() - startedAt;
      const method = methods.has(info.method) ? info.method : "other";
      deps.meter.onAnswer({ method, route: info.route, status: response.status, ms });
      return response;
    },
  };
}

/**
 * Opens the account of a body before it is read, for the length that was announced.
 * @returns what counts each chunk: of the announced length, what goes beyond it
 * @throws TorusError `overloaded`
 */
function reserve(info: RequestInfo, budget: BodyBudget, { headers }: Request): (bytes: number) => void {
  const account = budget.open();
  info.account = account;
  let announced = Number(headers.get("content-length") ?? 0) || 0;
  account.take(announced);
  return (bytes) => {
    const beyond = Math.max(0, bytes - announced);
    announced -= bytes - beyond;
    if (beyond > 0) account.take(beyond);
  };
}

/** @param explainMiss says what is wrong with a request that no route took */
function createErrorAnswer({ log }: AppDeps, explainMiss: ReturnType<typeof createMethodTable>) {
  return (request: Request, error: unknown): Response => {
    const { id, path, pretty, method } = infoOf(request);
    const known = error instanceof NotFoundError ? explainMiss(path, method) : toTorusError(error);
    if (!known || known.code === "internal")
      log.error("request failed", { request_id: id, method, path, error });
    const unread = request.body !== null && !request.bodyUsed;
    const problem = known ?? new TorusError("internal", "");
    const challenge = challengeFor(request);
    if (isLinePath(path)) return renderLineProblem(problem, { path, challenge });
    return renderProblem(problem, { requestId: id, pretty, method, unread, challenge });
  };
}

function createRoutes(deps: AppDeps) {
  const routes = createInstance()
    .use(createRootRoutes(deps))
    .use(createHealthRoutes(deps))
    .use(createBackupRoutes(deps))
    .use(createBucketRoutes(deps))
    .use(createLineRoutes(deps))
    .use(createModelRoutes(deps))
    .use(createPredictionRoutes(deps))
    .use(createBacktestRoutes(deps))
    .use(createDetectionRoutes(deps))
    .use(createModelTransferRoutes(deps))
    .use(createLiveRoutes(deps))
    .use(createHookRoutes(deps))
    .use(createGlobalHookRoutes(deps))
    .use(createTemplateRoutes(deps))
    .use(createApplyRoutes(deps))
    .use(createJobRoutes(deps))
    .use(createScheduledJobRoutes(deps))
    .use(createTokenRoutes(deps));
  return routes.use(createDocumentationRoutes(() => describedRoutes(routes.routes), deps.node.version));
}

/** The framework's own description of its routes holds the schemas as they were given. */
function describedRoutes(routes: readonly unknown[]): readonly DescribedRoute[] {
  return routes as readonly DescribedRoute[];
}

/** Headers of every answer. */
function headersOf({ id }: RequestInfo, hstsSeconds = 0): Record<string, string> {
  return {
    ...(hstsSeconds > 0 && { "strict-transport-security": `max-age=${hstsSeconds}` }),
    "x-request-id": id,
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
  };
}

function addHeaders(response: Response, headers: Record<string, string>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}
