// HTTP hooks: URL setting, one JSON request, outcome by the status of the answer.
import { FormatRegistry, Type } from "@sinclair/typebox";
import { invalid } from "../../core/errors.ts";
import { Client } from "../../net/fetch.ts";
import { isPrivateHost } from "../../net/private.ts";
import { statusOnly } from "../../net/refusal.ts";
import { readUrl } from "../../net/url.ts";
import type { Allowances, HookContext } from "../kind.ts";
import { type Outcome, toOutcome } from "./outcome.ts";

const TIMEOUT_MS = 15_000;
/** Size limit of answers, whose content is ignored. */
const MAX_BYTES = 1024 * 1024;

const rule =
  "must be http(s)://host[:port][/path][?query]; link-local and metadata addresses are refused, and private ones " +
  "where the settings do not allow them";

/** Schema of a URL setting. */
export function urlSchema(description: string) {
  return Type.String({ format: "hook-url", maxLength: 2048, description, rule });
}

if (!FormatRegistry.Has("hook-url")) FormatRegistry.Set("hook-url", (text) => readUrl(text) !== undefined);

/** Settings of all HTTP kinds. */
export const httpSettings = {
  verify_ssl: Type.Optional(
    Type.Boolean({ default: true, description: "Refuse a certificate that does not verify" }),
  ),
};

/**
 * Refuses URLs of private networks where the settings do not allow them. Names are resolved, and checked, at delivery.
 * @throws TorusError `invalid`
 */
export function checkReach(url: string, path: string, allowed: Allowances | undefined): void {
  if (!allowed || allowed.allowPrivate || !isPrivateHost(readUrl(url)!.address.host)) return;
  throw invalid(path, privateRule);
}

/** Checks a URL that is no setting of a hook. @throws TorusError `invalid`, see `checkReach` */
export function checkUrl(url: string, path: string, allowed: Allowances | undefined): void {
  if (!readUrl(url)) throw invalid(path, rule);
  checkReach(url, path, allowed);
}

export const privateRule =
  "is an address of this machine or of a private network, which the settings do not allow; " +
  "set hooks.webhook.private_addresses: true, or use a public address";

interface Post {
  /** Name of the receiver in messages. */
  readonly software: string;
  readonly url: string;
  /** Appended to a path that does not end with it. */
  readonly suffix?: string;
  readonly body: string;
  /** Default: JSON. */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Hidden in messages. */
  readonly secrets?: readonly string[];
  readonly verify_ssl?: boolean | undefined;
  /** Refuses this machine and private networks. */
  readonly publicOnly: boolean;
}

/** One POST to a checked URL. 2xx: sent; 408, 425, 429, 5xx and connection errors: retry; anything else: rejected. */
export async function postJson(post: Post, { signal, lookup }: HookContext): Promise<Outcome> {
  const { address, path } = readUrl(post.url)!;
  const client = new Client({
    software: post.software,
    address,
    defaultPort: 80,
    tls: { verify_ssl: post.verify_ssl ?? true },
    secrets: [post.url, ...(path.length > 1 ? [path] : []), ...(post.secrets ?? [])],
    publicOnly: post.publicOnly,
    lookup,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  });
  const headers = { ...post.headers, "Content-Type": post.contentType ?? "application/json" };
  try {
    const whole = withSuffix(path, post.suffix);
    await client.send({ method: "POST", path: whole, headers, body: post.body }, signal);
    return "sent";
  } catch (error) {
    return toOutcome(statusOnly(error, post.software));
  }
}

/** The address of a program is also known as that of its endpoint. */
function withSuffix(path: string, suffix: string | undefined): string {
  if (suffix === undefined) return path;
  const bare = path.replace(/\/$/, "");
  return bare.endsWith(suffix) ? bare : `${bare}${suffix}`;
}
