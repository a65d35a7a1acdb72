// Judgement links: signed addresses that allow one judgement of one anomaly, or one mute, until they expire.
import { createHmac, timingSafeEqual } from "node:crypto";

/** What a link does: it says that the anomaly was one, that it was noise, or mutes its model or series for a while. */
export const judgementActions = ["real", "noise", "mute"] as const;
export type JudgementAction = (typeof judgementActions)[number];

export interface JudgementLink {
  /** Id of the anomaly. */
  readonly anomaly: string;
  readonly action: JudgementAction;
  /** ms since the epoch. */
  readonly expiresAt: number;
}

/** Address by action. */
export type JudgementUrls = Readonly<Record<JudgementAction, string>>;

/** Bytes of the signature: as hard to guess as a UUID twice. */
const SIGNATURE_BYTES = 16;
const form =
  /^(?<action>[a-z]+)\.(?<anomaly>[\w-]{1,64})\.(?<expires>[0-9a-z]{1,12})\.(?<signature>[\w-]{22})$/;

/** The text of a link: action, anomaly, expiry in seconds (base 36), HMAC-SHA256 (RFC 2104) of these. */
export function signLink(key: string, { action, anomaly, expiresAt }: JudgementLink): string {
  const content = `${action}.${anomaly}.${Math.floor(expiresAt / 1000).toString(36)}`;
  return `${content}.${sign(key, content).toString("base64url")}`;
}

/** @returns undefined for a text that the key did not sign; an expired link is returned as it is */
export function readLink(key: string, text: string): JudgementLink | undefined {
  const { action: named, anomaly, expires, signature } = form.exec(text)?.groups ?? {};
  const action = judgementActions.find((each) => each === named);
  if (!action || signature === undefined) return undefined;
  const content = text.slice(0, text.lastIndexOf("."));
  const given = Buffer.from(signature, "base64url");
  const expected = sign(key, content);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  return { action, anomaly: anomaly!, expiresAt: Number.parseInt(expires!, 36) * 1000 };
}

function sign(key: string, content: string): Buffer {
  return createHmac("sha256", key).update(content).digest().subarray(0, SIGNATURE_BYTES);
}
