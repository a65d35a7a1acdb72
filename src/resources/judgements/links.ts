// Judgement links of events: made for the receivers of an anomaly, if the server has an address for people.

import { type JudgementUrls, judgementActions, signLink } from "../../core/access/judgement-link.ts";
import type { HookEvent } from "../../core/anomaly/event.ts";
import { DAY_MS } from "../../core/time/time.ts";
import type { Clock } from "../../runtime/clock.ts";
import { ensureMeta } from "../../store/db/meta.ts";
import type { Store } from "../../store/db/open.ts";

/** How long a link can be used: a long weekend, and some days. */
const VALID_MS = 7 * DAY_MS;
const KEY_BYTES = 32;

/** The key that signs the links of this server; made at first. */
export function loadLinkKey(store: Store): Promise<string> {
  const make = () => Buffer.from(crypto.getRandomValues(new Uint8Array(KEY_BYTES))).toString("base64url");
  return ensureMeta(store, "judgement_key", make);
}

/** Links for the receivers of an event; undefined where nothing is to be judged, or the server has no address. */
export function judgementUrls(
  event: HookEvent,
  { key, externalUrl, clock }: { key: string; externalUrl: string | undefined; clock: Pick<Clock, "now"> },
): JudgementUrls | undefined {
  if (externalUrl === undefined || event.kind !== "anomaly_start" || event.test) return undefined;
  const expiresAt = clock.now() + VALID_MS;
  const urlOf = (action: (typeof judgementActions)[number]) =>
    `${externalUrl}/judge/${signLink(key, { action, anomaly: event.episode, expiresAt })}`;
  return Object.fromEntries(judgementActions.map((action) => [action, urlOf(action)])) as JudgementUrls;
}
