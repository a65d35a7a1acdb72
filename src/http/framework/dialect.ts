// Dialects of the API: bodies, errors and credentials differ between our own routes and the protocols of others.
import type { TorusError } from "../../core/errors.ts";
import type { BodyLimits, TakeBytes } from "./body.ts";
import type { ProblemContext } from "./errors.ts";

export interface Dialect {
  /** Whether the query may hold name and token, as clients of InfluxDB 1 send them. */
  readonly hasQueryCredentials: boolean;
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
