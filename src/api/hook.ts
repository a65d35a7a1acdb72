// Schemas of hooks: a component per kind, by `type`; deliveries.
import { type TObject, Type } from "@sinclair/typebox";
import { deliveryCodes } from "../core/anomaly/delivery-code.ts";
import { eventKinds } from "../core/anomaly/event.ts";
import { hookOptions } from "../core/anomaly/hook-options.ts";
import { HookSelector } from "../core/anomaly/hook-selector.ts";
import { optional } from "../core/input/optional.ts";
import { oneOfWords } from "../core/input/words.ts";
import { describeKinds, type KindSchemas } from "./kinds.ts";
import { type Shown, seconds } from "./shown.ts";

/** @param kinds full schema of each kind; its secrets are keys of `config` */
export function describeHooks(kinds: KindSchemas) {
  return describeKinds("Hook", kinds, ({ properties }, mark) => ({
    ...properties,
    config: mark(properties.config as TObject),
  }));
}

export const NamedHook = Type.Object(
  {
    type: Type.String({ description: "Kind of the hook" }),
    name: optional.text("The one of the path"),
    config: Type.Record(Type.String(), Type.Unknown(), { description: "As in the component of the kind" }),
    ...hookOptions,
  },
  { $id: "NamedHook", description: "A hook named by the path; secrets that are not given stay" },
);

const selector = Type.Optional(HookSelector);

export const GlobalHook = Type.Object(
  {
    name: Type.String({ description: "Name of the hook" }),
    type: Type.String({ description: "Kind of the hook" }),
    selector,
    config: Type.Record(Type.String(), Type.Unknown(), { description: "As in the component of the kind" }),
    ...hookOptions,
  },
  { $id: "GlobalHook", description: "A hook of all models, or of those that its selector matches" },
);
export type GlobalHookView = Shown<typeof GlobalHook>;

export const NamedGlobalHook = Type.Object(
  { ...NamedHook.properties, selector },
  { $id: "NamedGlobalHook", description: "A global hook named by the path" },
);

export const Delivery = Type.Object(
  {
    id: Type.String({ description: "The same in every attempt: the idempotency key of receivers" }),
    resend: Type.Optional(
      Type.Literal(true, {
        description: "The start, sent again while the anomaly lasts: one entry for all resends",
      }),
    ),
    event: oneOfWords(eventKinds),
    anomaly: Type.String({ description: "Id of the anomaly" }),
    test: Type.Optional(Type.Literal(true, { description: "Sent by `_test`" })),
    type: Type.String({ description: "Kind of the hook" }),
    state: Type.Union([
      Type.Literal("waiting"),
      Type.Literal("sent"),
      Type.Literal("rejected"),
      Type.Literal("expired"),
    ]),
    attempts: Type.Integer(),
    error: optional.text("Of the last attempt"),
    code: Type.Optional(
      Type.Union(
        deliveryCodes.map((code) => Type.Literal(code)),
        { description: `Kind of the error: ${deliveryCodes.join(", ")}` },
      ),
    ),
    created_date: Type.String({ format: "date-time" }),
    created_timestamp: seconds(),
    next_attempt_date: Type.Optional(Type.String({ format: "date-time" })),
    next_attempt_timestamp: Type.Optional(seconds()),
    end_date: Type.Optional(Type.String({ format: "date-time" })),
    end_timestamp: Type.Optional(seconds()),
  },
  { $id: "Delivery", description: "One event for one hook" },
);

export const GlobalDelivery = Type.Object(
  { model: Type.String({ description: "Model of the anomaly" }), ...Delivery.properties },
  { $id: "GlobalDelivery", description: "One event for one global hook" },
);
export const HookDelivery = Type.Object(
  {
    model: Type.String({ description: "Model of the anomaly" }),
    hook: Type.String({ description: "Name of the hook" }),
    global: Type.Optional(Type.Literal(true, { description: "The hook is a global one" })),
    ...Delivery.properties,
  },
  { $id: "HookDelivery", description: "One event for one hook, among those of all hooks" },
);

export const HookState = Type.Object(
  {
    model: optional.text("Absent: the hook is a global one"),
    global: Type.Optional(Type.Literal(true)),
    selector,
    name: Type.String(),
    type: Type.String({ description: "Kind of the hook" }),
    target: Type.Union([Type.String(), Type.Null()], {
      description: "Where its events go; null where the address is a secret",
    }),
    muted_until: Type.Optional(seconds("End of its mute, seconds since the epoch; absent: it is not muted")),
    last_delivery: Type.Optional(GlobalDelivery),
  },
  { $id: "HookState", description: "A hook with the newest delivery that was attempted" },
);
export type HookStateView = Shown<typeof HookState>;
export type HookDeliveryView = Shown<typeof HookDelivery>;
export type DeliveryView = Shown<typeof Delivery>;

export const HookPreview = Type.Object(
  {
    event: oneOfWords(eventKinds),
    test: Type.Optional(Type.Literal(true, { description: "Of a test anomaly: the model had none yet" })),
    to: Type.Optional(Type.Array(Type.String(), { description: "Addresses of a mail" })),
    subject: optional.text("Subject of a mail, title of a notification"),
    text: Type.String({ description: "Text, or the JSON of a request" }),
  },
  { $id: "HookPreview", description: "A message as a hook would send it, without secrets" },
);
export type HookPreviewView = Shown<typeof HookPreview>;
