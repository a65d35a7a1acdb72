// ClickHouse exceptions by code; the HTTP status of one code differs between versions and is mostly 500.
import type { StoreError } from "../../net/refusal.ts";
import { parseJson } from "../shared/connection.ts";

/** UNKNOWN_USER, WRONG_PASSWORD, REQUIRED_PASSWORD, ACCESS_DENIED, AUTHENTICATION_FAILED */
const ofAccount: ReadonlySet<number> = new Set([192, 193, 194, 497, 516]);

/** Temporary conditions of the server; the same request may succeed later. */
export const temporary: Readonly<Record<number, string>> = {
  49: "LOGICAL_ERROR",
  159: "TIMEOUT_EXCEEDED",
  173: "CANNOT_ALLOCATE_MEMORY",
  198: "DNS_ERROR",
  201: "QUOTA_EXCEEDED",
  202: "TOO_MANY_SIMULTANEOUS_QUERIES",
  203: "NO_FREE_CONNECTION",
  209: "SOCKET_TIMEOUT",
  210: "NETWORK_ERROR",
  236: "ABORTED",
  241: "MEMORY_LIMIT_EXCEEDED",
  242: "TABLE_IS_READ_ONLY",
  243: "NOT_ENOUGH_SPACE",
  252: "TOO_MANY_PARTS",
  279: "ALL_CONNECTION_TRIES_FAILED",
  285: "TOO_FEW_LIVE_REPLICAS",
  286: "UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE",
  289: "REPLICA_IS_NOT_IN_QUORUM",
  319: "UNKNOWN_STATUS_OF_INSERT",
  394: "QUERY_WAS_CANCELLED",
  425: "SYSTEM_ERROR",
  439: "CANNOT_SCHEDULE_TASK",
  499: "S3_ERROR",
  700: "USER_SESSION_LIMIT_EXCEEDED",
  733: "TABLE_IS_BEING_RESTARTED",
  745: "SERVER_OVERLOADED",
  999: "KEEPER_EXCEPTION",
  1000: "POCO_EXCEPTION",
  1001: "STD_EXCEPTION",
  1002: "UNKNOWN_EXCEPTION",
};

/**
 * The exception in the body of an answer, without version and stack; undefined where there is none. It is the body, or
 * `exception` of its JSON (`http_write_exception_in_output_format`).
 */
export function readException(body: string): StoreError | undefined {
  const { exception = body } = Object(parseJson(body));
  const match =
    /^\s*Code: (\d{1,9})[.,] (?:e\.displayText\(\) = )?DB::\w*Exception: (.*?)(?: \(version |, Stack trace|$)/s.exec(
      String(exception),
    );
  if (!match) return undefined;
  const code = Number(match[1]);
  if (ofAccount.has(code)) return { code: "bucket_auth", said: match[2]! };
  return { code: code in temporary ? "bucket_unavailable" : "bucket_rejected", said: match[2]! };
}
