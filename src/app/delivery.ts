// Composition of the delivery to hooks: services for the kinds, by the effective settings.
import type { Bucket } from "../buckets/kind.ts";
import type { HookEvent } from "../core/anomaly/event.ts";
import { SINCE_SLACK_MS } from "../core/anomaly/level-shift.ts";
import { sentenceOf } from "../core/budget/words.ts";
import { TorusError } from "../core/errors.ts";
import type { Ownership } from "../core/ownership.ts";
import { DAY_MS } from "../core/time/time.ts";
import type { Brokers } from "../delivery/brokers.ts";
import { Delivery } from "../delivery/deliver.ts";
import type { Allowances, HookServices } from "../hooks/kind.ts";
import { createMailer } from "../hooks/mail/smtp.ts";
import { findAttributions } from "../live/episodes/attribution.ts";
import { judgementUrls } from "../resources/judgements/links.ts";
import type { PlanDeps } from "../resources/models/plan.ts";
import type { ExternalUrl } from "../resources/server/external-url.ts";
import { systemClock } from "../runtime/clock.ts";
import type { HookOptions } from "../settings/hooks.ts";
import type { ServerSettings } from "../settings/load.ts";
import { listBudgets } from "../store/budgets.ts";
import type { Store } from "../store/db/open.ts";
import { createActivityLog } from "../telemetry/activity-log.ts";
import type { Log } from "../telemetry/log.ts";
import type { Meter } from "../telemetry/meter.ts";

/** Effective settings, replaced by a reload. Components read reloadable settings from here at each use. */
export interface CurrentSettings {
  value: ServerSettings;
}

interface DeliveryDeps extends Pick<PlanDeps, "openBucket"> {
  readonly store: Store;
  readonly log: Log;
  readonly meter: Meter;
  readonly brokers: Brokers;
  readonly ownership: Ownership;
  readonly externalUrl: ExternalUrl;
  /** Signs judgement links. */
  readonly judgementKey: string;
  readonly findCause: NonNullable<HookServices["findCause"]>;
}

/** Effective permissions of hooks. */
export function effectiveAllowances(current: CurrentSettings): Allowances {
  return {
    get allowPrivate() {
      return current.value.hooks.allowPrivate;
    },
    get programs() {
      return current.value.hooks.programs;
    },
  };
}

/** @returns a getter of the sender for the effective mail server; undefined where none is configured */
export function mailerOf(current: CurrentSettings): () => HookServices["sendMail"] {
  let known: { readonly smtp: HookOptions["smtp"]; readonly send: HookServices["sendMail"] } | undefined;
  return () => {
    const { smtp } = current.value.hooks;
    if (!known || known.smtp !== smtp) known = { smtp, send: smtp && createMailer(smtp) };
    return known.send;
  };
}

/** Delivery of outbox events to hooks. */
export function createDelivery(current: CurrentSettings, deps: DeliveryDeps): Delivery {
  const { store, log, meter, ownership } = deps;
  return new Delivery({
    store,
    ownership,
    clock: systemClock,
    services: createHookServices(current, deps),
    random: () => Math.random(),
    onAttempt: meter.onAttempt,
    onDeliveryFailure: createActivityLog(log).onDeliveryFailure,
    onError: (error, row) =>
      log.error("delivery failed unexpectedly", { model: row?.model, hook: row?.hook, error }),
  });
}

/** What the kinds of hooks use of the server. */
function createHookServices(
  current: CurrentSettings,
  { store, log, openBucket, brokers, externalUrl, judgementKey, findCause }: DeliveryDeps,
): HookServices {
  const allowed = effectiveAllowances(current);
  const mailer = mailerOf(current);
  const services: HookServices = {
    now: () => systemClock.now(),
    timezone: current.value.timezone,
    get externalUrl() {
      return externalUrl.valueBeside(current.value.externalUrl);
    },
    get hasDashboard() {
      return current.value.ui;
    },
    judgementUrls: (event) =>
      current.value.judgementLinks
        ? judgementUrls(event, { key: judgementKey, externalUrl: services.externalUrl, clock: systemClock })
        : undefined,
    get allowPrivate() {
      return allowed.allowPrivate;
    },
    get programs() {
      return allowed.programs;
    },
    get sendMail() {
      return mailer();
    },
    findCause,
    findBudget: (event) => findBudget({ store, log }, event),
    findChange: (event) => findChange({ store, log }, event),
    publish: (broker, message, signal) => brokers.publish(broker, message, signal),
    annotate: async (name, ...annotation) => annotate(name, await openBucket(name), ...annotation),
  };
  return services;
}

/** @throws TorusError `not_supported` for a kind without annotations */
async function annotate(
  name: string,
  bucket: Bucket,
  ...[annotation, signal]: Parameters<NonNullable<Bucket["annotate"]>>
): Promise<void> {
  if (!bucket.annotate)
    throw new TorusError("not_supported", `bucket ${name} does not support annotations: choose another one`);
  await bucket.annotate(annotation, signal);
}

type Reading = Pick<DeliveryDeps, "store" | "log">;

/** What is left of the error budget of the event, in words; undefined where that is unknown. */
async function findBudget(
  { store, log }: Reading,
  { model, series }: HookEvent,
): Promise<string | undefined> {
  const [worst] = await listBudgets(
    store,
    { madeAt: systemClock.now() - DAY_MS, models: [model], ...(series && { series }) },
    { from: 0, to: 1 },
  ).catch((error: unknown) => {
    log.error("error budget of an anomaly not read", { model, error });
    return [];
  });
  return worst && sentenceOf(worst.state.remaining);
}

/** The likeliest change before the event; undefined where none is known. */
async function findChange({ store, log }: Reading, event: HookEvent) {
  const { model, startedAt: startAt, features, series = null, scope = null, levelShift } = event;
  const episode = { model, startAt, features, series, scope };
  const slack = levelShift && { slackMs: SINCE_SLACK_MS };
  const found = await findAttributions(store, { ...episode, ...slack }).catch((error: unknown) =>
    log.error("changes before an anomaly not read", { model, error }),
  );
  return found?.[0];
}
