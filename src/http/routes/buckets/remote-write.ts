// Route of Prometheus's remote write: what other servers scrape is pushed into a local bucket.
import { Type } from "@sinclair/typebox";
import { needed } from "../../../core/input/optional.ts";
import type { AppDeps } from "../../framework/deps.ts";
import { createInstance, documented } from "../../framework/elysia.ts";
import { NoContent } from "../../framework/noun-routes.ts";
import { query } from "../../framework/params.ts";
import { readVersion, remoteWriteDialect, writtenHeaders } from "../../framework/remote-write-dialect.ts";

const Body = documented<Uint8Array<ArrayBuffer>>(
  needed(
    Type.String({
      description:
        "Message of remote write 1.0, or with `proto=io.prometheus.write.v2.Request` in the content type 2.0, in snappy",
    }),
  ),
);
const about =
  "A sample is a point of the field that is named as the metric, without a measurement; its labels are tags. NaN, " +
  "infinities and stale markers are kept for PromQL; exemplars are accepted and left out. Native histograms, and series that cannot be stored, are " +
  "refused by name with a 400, after all others were stored; 5xx and 429 may be sent again. The headers " +
  "`X-Prometheus-Remote-Write-*-Written` of version 2.0, and of refusals, count what was accepted.";

/** Route of remote write. */
export function createRemoteWriteRoutes({ remoteWrite }: Pick<AppDeps, "remoteWrite">) {
  return createInstance().post(
    "/api/v1/write",
    async ({ query, body, request }) => {
      const version = readVersion(request.headers);
      const written = await remoteWrite.write({
        bucket: query.bucket,
        body,
        version,
        signal: request.signal,
      });
      // Version 1.0 knows no such headers: its senders take a 204 as all.
      return new Response(null, { status: 204, headers: version === 1 ? {} : writtenHeaders(written) });
    },
    {
      query: query({ bucket: Type.String({ description: "Name of the bucket; made where it is missing" }) }),
      body: Body,
      response: NoContent,
      detail: {
        scope: "run",
        summary: "Write samples, as Prometheus pushes them",
        description: about,
        idempotent: true,
        dialect: remoteWriteDialect,
        tags: ["prometheus"],
      },
    },
  );
}
