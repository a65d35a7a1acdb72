// Dialect of Prometheus's remote write: messages in snappy, errors as plain text, numbers of samples in headers.
import { RemoteWriteProblem } from "../../api/protocols/prometheus.ts";
import { TorusError } from "../../core/errors.ts";
import { snappySize, snappySteps } from "../../core/formats/snappy.ts";
import type { WrittenCounts } from "../../resources/receivers/remote-write/index.ts";
import { finishInSteps } from "../../runtime/steps.ts";
import { type BodyLimits, checkContentLength, readBytes, type SizeLimit } from "./body.ts";
import type { Dialect } from "./dialect.ts";
import { type ProblemContext, problemHeaders, statusOf } from "./errors.ts";

const MEDIA_TYPE = "application/x-protobuf";
const TEXT_TYPE = "text/plain; charset=utf-8";
/** Versions by the parameter `proto` of the content type. */
const versions: ReadonlyMap<string, 1 | 2> = new Map([
  ["prometheus.WriteRequest", 1],
  ["io.prometheus.write.v2.Request", 2],
]);

export const remoteWriteDialect: Dialect = {
  problem: RemoteWriteProblem,
  problemType: TEXT_TYPE,
  hasQueryCredentials: false,
  encoding: "snappy",
  checkBody: (request, limits) => {
    readVersion(request.headers);
    const encoding = (request.headers.get("content-encoding") ?? "snappy").trim().toLowerCase();
    if (encoding !== "snappy")
      throw new TorusError("unsupported_media_type", "send the message with content-encoding: snappy");
    checkContentLength(request, limitOf(limits));
  },
  parseBody: async ({ body, signal }, limits, take) => {
    const limit = limitOf(limits);
    const block = body === null ? new Uint8Array(0) : await readBytes(body, limit, take);
    // An empty message is a byte in snappy.
    if (block.length === 0) return null;
    const size = snappySize(block);
    if (size > limit.bytes)
      throw new TorusError(
        "too_large",
        `the message has ${size} bytes, more than ${limit.bytes} (${limit.setting})`,
        { limit: limit.bytes },
      );
    take(size);
    return finishInSteps(snappySteps(block, limit.bytes), signal);
  },
  renderError: renderText,
};

/** Version of the message. @throws TorusError `unsupported_media_type` */
export function readVersion(headers: Headers): 1 | 2 {
  const [type = "", ...parameters] = (headers.get("content-type") || MEDIA_TYPE).split(";");
  const proto = parameters.map((text) => /^\s*proto\s*=\s*"?([\w.]+)"?\s*$/i.exec(text)?.[1]).find(Boolean);
  const version = versions.get(proto ?? "prometheus.WriteRequest");
  if (type.trim().toLowerCase() === MEDIA_TYPE && version !== undefined) return version;
  const known = [...versions.keys()].map((name) => `${MEDIA_TYPE};proto=${name}`).join(" or ");
  throw new TorusError("unsupported_media_type", `send the message with content-type: ${known}`);
}

/** Headers by which senders learn what was accepted; they report the rest of what they have sent as lost. */
export function writtenHeaders({ samples, exemplars }: WrittenCounts): Record<string, string> {
  const prefix = "x-prometheus-remote-write";
  return {
    [`${prefix}-samples-written`]: String(samples),
    [`${prefix}-histograms-written`]: "0",
    [`${prefix}-exemplars-written`]: String(exemplars),
  };
}

function limitOf({ writeBytes }: BodyLimits): SizeLimit {
  return { bytes: writeBytes, setting: "server.limits.write_bytes" };
}

/** Senders repeat after 5xx and 429, and give up after any other status. The text of a bug is left out. */
function renderText(error: TorusError, context: ProblemContext): Response {
  const headers = problemHeaders(error, context, TEXT_TYPE);
  const { samples_written: samples = 0, exemplars_written: exemplars = 0 } = error.details;
  const written = writtenHeaders({ samples: Number(samples), exemplars: Number(exemplars) });
  for (const [name, value] of Object.entries(written)) headers.set(name, value);
  const text = error.code === "internal" ? "internal error" : error.message;
  return new Response(context.method === "HEAD" ? null : `${text}\n`, {
    status: statusOf(error.code),
    headers,
  });
}
