// Routes of liveness, readiness and metrics.
import { Type } from "@sinclair/typebox";
import { Health, Liveness } from "../../api/server/health.ts";
import { contentType } from "../../resources/live/model-metrics.ts";
import { Answer, streamPiecewise } from "../framework/answer.ts";
import type { AppDeps } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";
import { query } from "../framework/params.ts";

const tags = ["health"];

/** Routes of health and metrics. */
export function createHealthRoutes({
  health,
  meter,
  modelMetrics,
}: Pick<AppDeps, "health" | "meter" | "modelMetrics">) {
  return createInstance()
    .get("/livez", () => ({ alive: true }), {
      query: query({}),
      response: documented(Liveness),
      detail: {
        scope: "open",
        summary: "Liveness: the server answers",
        description: "For supervisors that restart a server that hangs.",
        tags,
      },
    })
    .get(
      "/readyz",
      async () => {
        const state = await health.check();
        return new Answer(state.ready ? 200 : 503, state);
      },
      {
        query: query({}),
        response: { 200: documented(Health), 503: documented(Health) },
        detail: {
          scope: "open",
          summary: "Readiness: the server can work",
          description:
            "503 if the storage is not writable, live evaluations are late, compute workers cannot start, file descriptors " +
            "run out, the file of a bucket is damaged or gone, or a node of a cluster has lost its lease, hears nothing of other nodes, or has a clock that is wrong.",
          tags,
        },
      },
    )
    .get(
      "/metrics",
      async () => new Response(await meter.render(), { headers: { "content-type": meter.contentType } }),
      {
        query: query({}),
        response: documented(Type.String()),
        detail: { scope: "read", summary: "Metrics of the server in Prometheus text format", tags },
      },
    )
    .get("/metrics/models", async () => showGauges(await modelMetrics.render()), {
      query: query({}),
      response: documented(Type.String()),
      detail: {
        scope: "read",
        summary: "Last values of live models in Prometheus text format",
        description:
          "Score, anomaly, observed and expected values and lag of each live model, of a fleet by series with its tags as labels.",
        tags,
      },
    });
}

function showGauges(parts: readonly string[]): Response {
  return new Response(streamPiecewise(parts.values()), { headers: { "content-type": contentType } });
}
