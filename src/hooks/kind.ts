// What a hook kind is: its configuration, what of it is secret, and how it tells an event. It never loops or sleeps.
import type { Static, TObject } from "@sinclair/typebox";
import type { Annotation } from "../core/anomaly/annotation.ts";
import type { AnomalyEvent } from "../core/anomaly/event.ts";
import type { ResolveOptions } from "../net/resolve.ts";
import type { SendMail } from "./mail/smtp.ts";
import type { Outcome } from "./shared/outcome.ts";

/** What the service lends to hooks. */
export interface HookServices {
  /** ms since the epoch */
  now(): number;
  /** IANA time zone of dates in texts. */
  readonly timezone: string;
  /** Address of this server for people, without a slash at its end; absent where the settings name none. */
  readonly externalUrl?: string | undefined;
  /** Absent where no mail server is configured. */
  readonly sendMail?: SendMail | undefined;
  /** Writes into the bucket of that name. @throws TorusError */
  annotate(bucket: string, annotation: Annotation, signal: AbortSignal): Promise<void>;
  /** Whether addresses that clients choose may lie in private networks. */
  readonly allowPrivate: boolean;
  /** Programs that may be run, by absolute path. */
  readonly programs: readonly string[];
  /** For tests; default: the system's resolver. */
  readonly lookup?: ResolveOptions["lookup"];
}

/** What the server's settings allow hooks; absent where a hook is looked at apart from any server. */
export type Allowances = Pick<HookServices, "programs" | "allowPrivate">;

export interface HookContext extends HookServices {
  /** Name of the hook. */
  readonly hook: string;
  /** Whether it is a global hook: one of the same name may belong to the model. */
  readonly isGlobal?: boolean;
  /** The same in every attempt, and no other event or hook has it. */
  readonly key: string;
  /** Aborted when the attempt takes too long or the server stops. */
  readonly signal: AbortSignal;
}

/** A kind is a value; one file each, listed in index.ts. `config` gives check, type, OpenAPI and the table of the reference. */
export interface HookKind<C extends TObject = TObject> {
  readonly kind: string;
  /** One line for the documentation. */
  readonly description: string;
  /** `additionalProperties: false`. */
  readonly config: C;
  /** Keys of `config` that never leave the service. */
  readonly secrets: readonly string[];
  /** Keys of `config` that say where secrets are sent, and how well they are protected on the way. */
  readonly destination: readonly string[];
  /** Rules the schema cannot say. @throws TorusError `invalid` with a path that begins with `path` */
  check?(config: Static<C>, path: string, allowed?: Allowances): void;
  /** The start of an anomaly is told again this often while it lasts: the receiver forgets. */
  readonly resendEveryMs?: number;
  /** One attempt to tell an event. What it throws counts as worth another attempt. */
  deliver(event: AnomalyEvent, config: Static<C>, context: HookContext): Promise<Outcome>;
}
