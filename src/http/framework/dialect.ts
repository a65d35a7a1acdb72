// Dialects of the API: bodies, errors and credentials differ between our own routes and the protocols of others.
import type { TSchema } from "@sinclair/typebox";
import type { TorusError } from "../../core/errors.ts";
import type { BodyLimits, TakeBytes } from "./body.ts";
import type { ProblemContext } from "./errors.ts";

export interface Dialect {
  /** Start of its paths, known or not, as in `/prometheus/`; absent: those of its routes alone. */
  readonly folder?: string;
  /** Schema of errors; absent: problem details. */
  readonly problem?: TSchema;
  /** Content type of errors; default: JSON. */
  readonly problemType?: string;
  /** Whether the query may hold name and token, as clients of InfluxDB 1 send them. */
  readonly hasQueryCredentials: boolean;
  /** Header that may hold a token, in place of `Authorization: Bearer`. */
  readonly keyHeader?: string;
  /** Packing of bodies by `Content-Encoding`, beside none. */
  readonly encoding?: "gzip" | "snappy";
  /**
   * Refuses a body by its headers, before it is read.
   * @throws TorusError `unsupported_media_type`, `too_large`
   */
  checkBody(request: Request, limits: BodyLimits): void;
  /**
   * @returns the body; never undefined
   * @throws TorusError `invalid`, `too_large`, `unsupported_media_type`, `overloaded`
   */
  parseBody(request: Request, limits: BodyLimits, take: TakeBytes): Promise<unknown>;
  renderError(error: TorusError, context: ProblemContext): Response;
}
