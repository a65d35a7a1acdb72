// The HTTP application: routes, and the pipeline around them (guards, authorization, bodies, answers, errors).
import { NotFoundError } from "elysia";
import type { Principal } from "../core/access/token.ts";
import { TorusError } from "../core/errors.ts";
import { type ByteAccount, ByteBudget } from "../runtime/byte-budget.ts";
import type { DescribedRoute } from "./docs/openapi.ts";
import { AccessTable } from "./framework/access.ts";
import { renderAnswer } from "./framework/answer.ts";
import { challengeFor } from "./framework/auth.ts";
import type { TakeBytes } from "./framework/body.ts";
import { Cors } from "./framework/cors.ts";
import type { AppDeps } from "./framework/deps.ts";
import { createDialectTable } from "./framework/dialects.ts";
import { checkHttpsHost, compile, createInstance, type Pipeline } from "./framework/elysia.ts";
import { toTorusError } from "./framework/errors.ts";
import { checkRequest } from "./framework/guard.ts";
import { createMethodTable, requireRoute } from "./framework/known-methods.ts";
import { admitRequest, infoOf, type RequestInfo } from "./framework/request-context.ts";
import { type Call, requireCall } from "./known-calls.ts";
import { createChangeRoutes } from "./routes/anomalies/changes.ts";
import { createGithubRoutes } from "./routes/anomalies/github.ts";
import { createLabelRoutes } from "./routes/anomalies/labels.ts";
import { createRelatedRoutes } from "./routes/anomalies/related.ts";
import { createReportRoutes } from "./routes/anomalies/report.ts";
import { createApplyRoutes } from "./routes/apply.ts";
import { createBacktestRoutes } from "./routes/backtests.ts";
import { createBackupRoutes } from "./routes/backup.ts";
import { createBinRoutes } from "./routes/bin.ts";
import { createBucketRoutes } from "./routes/buckets/buckets.ts";
import { createLineRoutes } from "./routes/buckets/lines.ts";
import { createOtlpRoutes } from "./routes/buckets/otlp.ts";
import { createRemoteWriteRoutes } from "./routes/buckets/remote-write.ts";
import { createBudgetRoutes } from "./routes/budgets.ts";
import { createCalendarRoutes } from "./routes/calendars.ts";
import { createCapacityRoutes } from "./routes/capacity.ts";
import { createDashboardRoutes } from "./routes/dashboard.ts";
import { createDetectionRoutes } from "./routes/detections.ts";
import { createDocumentationRoutes } from "./routes/documentation.ts";
import { createEventRoutes } from "./routes/events.ts";
import { createFleetRoutes } from "./routes/fleets.ts";
import { createHealthRoutes } from "./routes/health.ts";
import { createDeliveryRoutes } from "./routes/hooks/deliveries.ts";
import { createHookRoutes } from "./routes/hooks/hooks.ts";
import { createJudgementRoutes } from "./routes/hooks/judgements.ts";
import { createJobRoutes } from "./routes/jobs.ts";
import { createLiveRoutes } from "./routes/live.ts";
import { createModelTransferRoutes } from "./routes/model-transfer.ts";
import { createModelRoutes } from "./routes/models.ts";
import { createPredictionRoutes } from "./routes/predictions.ts";
import { createAzureRoutes } from "./routes/protocols/azure.ts";
import { createMcpRoutes } from "./routes/protocols/mcp.ts";
import { createPrometheusRoutes } from "./routes/protocols/prometheus.ts";
import { createRootRoutes } from "./routes/root.ts";
import { createScheduledJobRoutes } from "./routes/scheduled-jobs.ts";
import { createSeriesRoutes } from "./routes/series.ts";
import { createSessionRoutes } from "./routes/session.ts";
import { createTemplateRoutes } from "./routes/templates.ts";
import { createTokenRoutes } from "./routes/tokens.ts";

/** Methods with a label of their own in the metrics. */
const countedMethods: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
]);

/** Answers requests: the listener serves it, tests call it directly. */
export interface App {
  /** @param principal sender of an internal request; absent: identified by the credentials of the request */
  handle(request: Request, principal?: Principal): Promise<Response>;
  /** @throws TorusError `not_found` naming the closest path, `method_not_allowed`: no route matches */
  requireRoute(method: string, path: string): void;
  /** @throws TorusError `invalid`: the call lacks what its route requires */
  requireCall(call: Call): void;
}

/** The application over the given resources. */
export function createApp(deps: AppDeps): App {
  const routes = createRoutes(deps);
  const hstsSeconds = deps.tls ? deps.hstsSeconds : 0;
  const described = describedRoutes(routes.routes);
  const findDialect = createDialectTable(described);
  const pipeline = createPipeline(deps, { routes: described, hstsSeconds });
  const handle = compile(routes, pipeline, deps);

  return {
    handle: async (request, principal) => {
      const startedAt = performance.now();
      const info = admitRequest(request, principal, findDialect);
      let response: Response;
      try {
        response = await handle(request);
      } catch (error) {
        response = addHeaders(pipeline.renderError(request, error), headersOf(info, hstsSeconds));
      } finally {
        info.account?.close();
      }
      const ms = performance.now() - startedAt;
      const method = countedMethods.has(info.method) ? info.method : "other";
      deps.meter.onAnswer({ method, route: info.route, status: response.status, ms });
      return response;
    },
    requireRoute: (method, path) => requireRoute(described, method, path),
    requireCall: (call) => requireCall(described, call),
  };
}

/** The steps of a request around its route. */
function createPipeline(
  deps: AppDeps,
  { routes, hstsSeconds }: { readonly routes: readonly DescribedRoute[]; readonly hstsSeconds: number },
): Pipeline {
  const access = new AccessTable(routes);
  const explainMiss = createMethodTable(routes);
  const cors = new Cors(deps.cors);
  const budget = new ByteBudget(deps.limits.bodiesInFlightBytes, {
    noun: "the bodies of requests in flight",
    setting: "server.limits.bodies_in_flight_bytes",
  });
  return {
    admit: (request, set) => {
      const info = infoOf(request);
      // One object at once: adding headers one by one, or to a finished response, is slower.
      set.headers = headersOf(info, hstsSeconds);
      if (cors.isOn) Object.assign(set.headers, cors.headersFor(request));
      if (deps.tls) checkHttpsHost(request.url);
      deps.hosts.check(request);
      const preflight = cors.answerPreflight(request);
      if (preflight) return preflight;
      // Before authentication: a page of another site must not use up the failures of its visitor's address.
      cors.refuseOtherSites(request);
      if (!info.principal && !access.isOpen(info.path))
        info.principal = deps.auth.identify(request, info.dialect);
      checkRequest(request, info, deps.limits);
      return undefined;
    },
    authorize: (request, route) => {
      const info = infoOf(request);
      if (info.isAuthorized) return;
      info.route = route;
      access.check(request, route);
      info.isAuthorized = true;
    },
    parseBody: (request) => {
      const info = infoOf(request);
      info.account = budget.open();
      return info.dialect.parseBody(request, deps.limits, reserve(info.account, request));
    },
    renderAnswer: (request, value, headers) => renderAnswer(value, infoOf(request).pretty, headers),
    renderError: (request, error) => {
      const { id, path, pretty, method, dialect } = infoOf(request);
      const known = error instanceof NotFoundError ? explainMiss(path, method) : toTorusError(error);
      if (!known || known.code === "internal")
        deps.log.error("request failed", { request_id: id, method, path, error });
      return dialect.renderError(known ?? new TorusError("internal", ""), {
        requestId: id,
        path,
        pretty,
        method,
        unread: request.body !== null && !request.bodyUsed,
        headers: request.headers,
        challenge: challengeFor(request),
      });
    },
  };
}

/**
 * Takes the announced length of a body from the budget before it is read.
 * @returns a function that takes what exceeds the announced length
 * @throws TorusError `overloaded`
 */
function reserve(account: ByteAccount, { headers }: Request): TakeBytes {
  let announced = Number(headers.get("content-length") ?? 0) || 0;
  account.take(announced);
  return (bytes) => {
    const excess = Math.max(0, bytes - announced);
    announced -= bytes - excess;
    if (excess > 0) account.take(excess);
  };
}

function createRoutes(deps: AppDeps) {
  const routes = createInstance()
    .use(createRootRoutes(deps))
    .use(createSessionRoutes(deps))
    .use(createHealthRoutes(deps))
    .use(createBackupRoutes(deps))
    .use(createBinRoutes(deps))
    .use(createBucketRoutes(deps))
    .use(createLineRoutes(deps))
    .use(createRemoteWriteRoutes(deps))
    .use(createOtlpRoutes(deps))
    .use(createPrometheusRoutes(deps))
    .use(createModelRoutes(deps))
    .use(createSeriesRoutes(deps))
    .use(createFleetRoutes(deps))
    .use(createPredictionRoutes(deps))
    .use(createBacktestRoutes(deps))
    .use(createDetectionRoutes(deps))
    .use(createAzureRoutes(deps))
    .use(createModelTransferRoutes(deps))
    .use(createLiveRoutes(deps))
    .use(createRelatedRoutes(deps))
    .use(createReportRoutes(deps))
    .use(createLabelRoutes(deps))
    .use(createJudgementRoutes(deps))
    .use(createChangeRoutes(deps))
    .use(createGithubRoutes(deps))
    .use(createCapacityRoutes(deps))
    .use(createBudgetRoutes(deps))
    .use(createEventRoutes(deps))
    .use(createHookRoutes(deps))
    .use(createDeliveryRoutes(deps))
    .use(createCalendarRoutes(deps))
    .use(createTemplateRoutes(deps))
    .use(createApplyRoutes(deps))
    .use(createJobRoutes(deps))
    .use(createScheduledJobRoutes(deps))
    .use(createTokenRoutes(deps))
    .use(createMcpRoutes(deps))
    .use(createDashboardRoutes(deps));
  return routes.use(createDocumentationRoutes(() => describedRoutes(routes.routes), deps.node.version));
}

/** The framework keeps the schemas of its routes unchanged. */
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
