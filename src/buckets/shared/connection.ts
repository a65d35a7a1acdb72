// Settings common to kinds behind a network: texts, credentials, timeout.
import { Type } from "@sinclair/typebox";
import { intervalSchema } from "../../core/time/duration-schema.ts";
import { parseDuration } from "../../core/time/time.ts";
import type { Credentials } from "../../net/address.ts";
import type { Client } from "../../net/fetch.ts";
import { readStoreMessage, type StoreError } from "../../net/refusal.ts";

const textUpTo =
  (maxLength: number) =>
  (description: string, more = {}) => {
    const rule = `must be a text of at most ${maxLength} characters`;
    return Type.Optional(Type.String({ maxLength, description, rule, ...more }));
  };

/** An optional text; forms of older clients send empty texts for unset values. */
export const textSetting = textUpTo(4096);
export const shortTextSetting = textUpTo(1024);

export const timeoutSetting = Type.Optional(
  intervalSchema({ description: "Timeout of one request", default: "30s", examples: ["2m"] }),
);

/** Timeout in ms; undefined where unset. @throws TorusError `invalid` */
export function readTimeout(timeout: string | number | undefined): number | undefined {
  return timeout === undefined ? undefined : parseDuration(timeout, "timeout");
}

/** @returns undefined without a user */
export function toCredentials(
  user: string | undefined,
  password: string | undefined,
): Credentials | undefined {
  return user ? { user, password: password ?? "" } : undefined;
}

/**
 * Errors for malformed answers of a software: `bucket_unavailable`, which is retried; or, of an answer of status 200
 * that is an error, what it says.
 * @param readError parses errors that are no JSON
 */
export function garblerOf(software: string, readError?: (body: string) => StoreError | undefined) {
  const incomplete = `no complete answer of ${software}`;
  return (client: Pick<Client, "refuse">, text = "") => {
    const error = readError?.(text) ?? { code: "bucket_rejected", said: readStoreMessage(text) };
    if (error.said !== undefined) return client.refuse(error.code, `answered with an error: ${error.said}`);
    const reason = /^\s*</.test(text)
      ? `sent a page (HTML), ${incomplete}, as a proxy or a login does; check the address`
      : `sent something that is ${incomplete}; check the address`;
    return client.refuse("bucket_unavailable", reason);
  };
}

/** Parses JSON. @returns undefined for malformed text */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
