// Kind `mqtt`: the last event of each model and subject, as a retained message of its own topic.
import { type Static, Type } from "@sinclair/typebox";
import { type HookEvent, isStart, topicOf } from "../core/anomaly/event.ts";
import { invalid } from "../core/errors.ts";
import { formatSeries } from "../core/model/series-text.ts";
import { parseAddress } from "../net/address.ts";
import { brokerDestination, brokerSecrets, brokerSettings } from "../net/mqtt/settings.ts";
import { isPrivateHost } from "../net/private.ts";
import type { HookKind, TextContext } from "./kind.ts";
import { summarize } from "./shared/describe.ts";
import { privateRule } from "./shared/http.ts";
import { toOutcome } from "./shared/outcome.ts";

const DEFAULT_TOPIC = "torus/{model}/{subject}/{series}";
const DEFAULT_STATUS = "torus/status";
export const DEFAULT_STATE = "torus/{model}/state";
const placeholders = ["model", "subject", "series", "hook"] as const;

const MqttConfig = Type.Object(
  {
    ...brokerSettings,
    topic: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        default: DEFAULT_TOPIC,
        description:
          "Topic of an event: `{model}`, `{subject}` (`anomaly`, `silence`, ...), `{series}` and `{hook}` are replaced; a " +
          "level `{series}` is left out where the event is of the whole model",
      }),
    ),
    status_topic: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        default: DEFAULT_STATUS,
        description:
          "Topic that is `online` while this server is connected, and `offline` otherwise: its last will",
      }),
    ),
    discovery_prefix: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description:
          "First level of Home Assistant's discovery, `homeassistant` by its default: each model of the hook becomes a " +
          "device; absent: none does",
        examples: ["homeassistant"],
      }),
    ),
    state_topic: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        default: DEFAULT_STATE,
        description: "Topic of the state of a device, retained: `{model}` is replaced",
      }),
    ),
  },
  { additionalProperties: false },
);
export type MqttConfig = Static<typeof MqttConfig>;

export const mqtt: HookKind<typeof MqttConfig> = {
  kind: "mqtt",
  description: "Publishes the last event of each model to an MQTT broker, retained, with QoS 1",
  config: MqttConfig,
  secrets: brokerSecrets,
  destination: brokerDestination,
  check: ({ addr, topic = DEFAULT_TOPIC, status_topic = DEFAULT_STATUS, ...devices }, path, allowed) => {
    const { discovery_prefix = "", state_topic = DEFAULT_STATE } = devices;
    if (allowed && !allowed.allowPrivate && isPrivateHost(parseAddress(addr).host))
      throw invalid(`${path}.addr`, privateRule);
    checkTopic(topic, `${path}.topic`, placeholders);
    checkTopic(status_topic, `${path}.status_topic`, []);
    checkTopic(discovery_prefix, `${path}.discovery_prefix`, []);
    checkTopic(state_topic, `${path}.state_topic`, ["model"]);
    if (!state_topic.includes("{model}"))
      throw invalid(`${path}.state_topic`, "must hold {model}: each model has a state of its own");
  },
  preview: (event, config, context) => ({
    text: `${topicFor(event, config, context)}\n${JSON.stringify(toPayload(event), null, 2)}`,
  }),
  deliver: async (event, config, { publish, ...context }) => {
    const message = {
      topic: topicFor(event, config, context),
      payload: JSON.stringify(toPayload(event)),
      // A made-up event must not replace the state.
      isRetained: !event.test,
    };
    try {
      await publish(brokerOf(config), message, context.signal);
      return "sent";
    } catch (error) {
      return toOutcome(error);
    }
  },
};

/** The connection of a hook, which hooks with equal settings share. */
export function brokerOf({
  topic: _topic,
  discovery_prefix: _prefix,
  state_topic: _state,
  status_topic: statusTopic = DEFAULT_STATUS,
  ...broker
}: MqttConfig) {
  return { ...broker, statusTopic };
}

/** Names of topics: MQTT 3.1.1, section 4.7. */
function checkTopic(topic: string, path: string, known: readonly string[]): void {
  const rest = topic.replace(/\{(\w+)\}/g, (text, name) => (known.includes(name) ? "" : text));
  if (/[+#\0]/.test(rest)) throw invalid(path, "must be the name of a topic, without + and #");
  if (!/[{}]/.test(rest)) return;
  const names = known.map((name) => `{${name}}`).join(", ");
  throw invalid(path, names ? `must have no other placeholders than ${names}` : "must have no placeholders");
}

function topicFor(
  event: HookEvent,
  { topic = DEFAULT_TOPIC }: MqttConfig,
  { hook }: Pick<TextContext, "hook">,
): string {
  const { model, series, kind } = event;
  const values = { model, hook, subject: topicOf(kind), series: series ? formatSeries(series) : "" };
  const levels = topic.split("/").filter((level) => level !== "{series}" || series);
  return levels
    .map((level) => level.replace(/\{(\w+)\}/g, (_, name: keyof typeof values) => escapeLevel(values[name])))
    .join("/");
}

/** A value must stay one level, and no wildcard. */
function escapeLevel(text: string): string {
  return text.replace(/[/+#%\p{Cc}]/gu, (char) => encodeURIComponent(char));
}

function toPayload(event: HookEvent) {
  return { state: isStart(event.kind) ? "active" : "ended", summary: summarize(event), ...event };
}
