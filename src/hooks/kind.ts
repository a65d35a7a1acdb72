// Interface of hook kinds: configuration, secrets, one delivery attempt. Kinds never loop or sleep.
import type { Static, TObject } from "@sinclair/typebox";
import type { JudgementUrls } from "../core/access/judgement-link.ts";
import type { Annotation } from "../core/anomaly/annotation.ts";
import type { HookEvent } from "../core/anomaly/event.ts";
import type { Attribution } from "../core/changes/attribution.ts";
import type { BrokerSettings } from "../net/mqtt/settings.ts";
import type { ResolveOptions } from "../net/resolve.ts";
import type { SendMail } from "./mail/smtp.ts";
import type { EventGroup } from "./shared/group.ts";
import type { Outcome } from "./shared/outcome.ts";

/** A broker, and the topic of the last will. */
export interface HookBroker extends BrokerSettings {
  readonly statusTopic: string;
}

export interface HookMessage {
  readonly topic: string;
  readonly payload: string;
  /** Whether the broker keeps it for later subscribers. */
  readonly isRetained: boolean;
}

/** Services of the server for hooks. */
export interface HookServices {
  /** ms since the epoch */
  now(): number;
  /** IANA time zone of dates in texts. */
  readonly timezone: string;
  /** URL of this server for links, without a trailing slash; absent: not set. */
  readonly externalUrl?: string | undefined;
  /** Whether links lead to the dashboard; default: to the API. */
  readonly hasDashboard?: boolean;
  /** What probably caused an anomaly, in words; undefined where nothing else moved before it. Absent: causes are not looked for. */
  readonly findCause?: ((event: HookEvent) => Promise<string | undefined>) | undefined;
  /** What is left of the error budget of the model or the series, in words; undefined where it has none. Absent: none is known. */
  readonly findBudget?: ((event: HookEvent) => Promise<string | undefined>) | undefined;
  /** Links by which receivers judge an anomaly; absent: none are made. */
  readonly judgementUrls?: ((event: HookEvent) => JudgementUrls | undefined) | undefined;
  /** Absent: no mail server is configured. */
  readonly sendMail?: SendMail | undefined;
  /** Writes an annotation into a bucket. @throws TorusError */
  annotate(bucket: string, annotation: Annotation, signal: AbortSignal): Promise<void>;
  /** Publishes with QoS 1, and waits for the acknowledgement. @throws TorusError */
  publish(broker: HookBroker, message: HookMessage, signal: AbortSignal): Promise<void>;
  /** The likeliest change before an anomaly or a level shift; undefined where there is none. Absent: no change is known. */
  findChange?(event: HookEvent): Promise<Attribution | undefined>;
  /** Whether URLs chosen by clients may lead to private networks. */
  readonly allowPrivate: boolean;
  /** Programs that may be run, by absolute path. */
  readonly programs: readonly string[];
  /** For tests; default: the system's resolver. */
  readonly lookup?: ResolveOptions["lookup"];
}

/** Permissions of hooks by the settings; absent where a hook is checked without a server. */
export type Allowances = Pick<HookServices, "programs" | "allowPrivate">;

export interface HookContext extends HookServices {
  /** Name of the hook. */
  readonly hook: string;
  /** Whether the hook is global; the model may have one of the same name. */
  readonly isGlobal?: boolean;
  /** Idempotency key: the same in every attempt, unique per event and hook. */
  readonly key: string;
  /** Aborted at the timeout of the attempt and at server stop. */
  readonly signal: AbortSignal;
}

/** What texts of events need of the server. */
export type TextContext = Pick<
  HookContext,
  "hook" | "isGlobal" | "timezone" | "externalUrl" | "hasDashboard" | "now"
>;

/** What a receiver would get, without secrets. */
export interface Preview {
  /** Mail addresses. */
  readonly to?: readonly string[];
  readonly subject?: string;
  /** Text, or JSON in lines. */
  readonly text: string;
}

/** One file per kind, registered in index.ts. `config` yields check, type, OpenAPI component and reference table. */
export interface HookKind<C extends TObject = TObject> {
  readonly kind: string;
  /** One line for the documentation. */
  readonly description: string;
  /** `additionalProperties: false`. */
  readonly config: C;
  /** Keys of `config` that never leave the service. */
  readonly secrets: readonly string[];
  /** Keys of `config` that decide where secrets are sent and how they are protected in transit. */
  readonly destination: readonly string[];
  /** Keys of `config` that are shown as they are: `check` refuses secrets in them. Default: none. */
  readonly shown?: readonly string[];
  /** Rules beyond the schema. @throws TorusError `invalid` with a path that begins with `path` */
  check?(config: Static<C>, path: string, allowed?: Allowances): void;
  /** Rules where events are grouped. @throws TorusError `invalid` */
  checkGrouped?(config: Static<C>, path: string): void;
  /** Resends the start of an anomaly at this interval while it lasts, for receivers that expire alerts. */
  readonly resendEveryMs?: number;
  /** The message for an event, as `deliver` would send it; absent: the kind sends nothing for it. */
  preview(event: HookEvent, config: Static<C>, context: TextContext): Preview | undefined;
  /** One delivery attempt. An exception counts as a retry. */
  deliver(event: HookEvent, config: Static<C>, context: HookContext): Promise<Outcome>;
  /** The same for events of one notification. Absent: the kind delivers each event by itself. */
  deliverGroup?(group: EventGroup, config: Static<C>, context: HookContext): Promise<Outcome>;
}
