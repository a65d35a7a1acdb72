// Settings of MQTT buckets: the broker, the topics, and the meaning of their payloads.
import { type Static, Type } from "@sinclair/typebox";
import { invalid } from "../../core/errors.ts";
import { checkTimezone } from "../../core/time/timezone.ts";
import { brokerSettings } from "../../net/mqtt/settings.ts";
import { textSetting } from "../shared/connection.ts";
import { storedSettings } from "../stored/index.ts";
import { parseTopic } from "./topic.ts";

const path = (description: string) =>
  Type.String({ minLength: 1, maxLength: 256, description, rule: "must be a path as in `power.now`" });
const name = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 256, description }));

export const Topic = Type.Object(
  {
    topic: Type.String({
      minLength: 1,
      maxLength: 1024,
      description:
        "Topics to subscribe to: `{name}` is a level that becomes the tag `name`, `{field}` and `{measurement}` one that " +
        "names these, `+` any level, `#` any rest",
      examples: ["plant/{line}/{field}"],
    }),
    format: Type.Optional(
      Type.Union([Type.Literal("number"), Type.Literal("json"), Type.Literal("lines")], {
        default: "number",
        description:
          "Payload: a `number` (also true, false, on and off), `json` with numbers in it, or `lines` of line protocol",
        rule: "must be one of number, json, lines",
      }),
    ),
    measurement: name("Measurement of the points; absent: none"),
    field: name("Field of a number; by default the level `{field}`, otherwise `value`"),
    fields: Type.Optional(
      Type.Array(path("A number in JSON"), {
        minItems: 1,
        maxItems: 256,
        description:
          "Paths of the numbers to take from JSON, as in `power.now`; absent: all, also in texts, but those in lists",
      }),
    ),
    time: Type.Optional(path("Path of the time in JSON, a number or a date; absent: the time of arrival")),
    timezone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: "Time zone of dates in JSON that name none, as the clock of Tasmota; absent: UTC",
        examples: ["Europe/Berlin"],
      }),
    ),
    precision: Type.Optional(
      Type.Union([Type.Literal("s"), Type.Literal("ms"), Type.Literal("us"), Type.Literal("ns")], {
        description: "Unit of times that are numbers; by default s in JSON and ns in lines",
        rule: "must be one of s, ms, us, ns",
      }),
    ),
    qos: Type.Optional(
      Type.Union([Type.Literal(0), Type.Literal(1)], {
        default: 1,
        description:
          "1: messages are acknowledged once they are stored; 0: they are lost where one of the two is away",
        rule: "must be 0 or 1",
      }),
    ),
  },
  { additionalProperties: false },
);
export type TopicSettings = Static<typeof Topic>;

export const settings = Type.Object(
  {
    ...brokerSettings,
    topics: Type.Array(Topic, {
      minItems: 1,
      maxItems: 100,
      description: "What is subscribed to; of several that match the first one counts",
    }),
    client_id: textSetting(
      "Name of the session at the broker, which keeps messages while this server is away; by default `torus-` and the " +
        "name of the bucket. Two servers with one broker need different ones",
    ),
    ...storedSettings.properties,
  },
  { additionalProperties: false },
);
export type MqttSettings = Static<typeof settings>;

/** @throws TorusError `invalid` for a malformed topic, and for settings of another format */
export function checkTopics({ topics }: MqttSettings): void {
  for (const [i, { topic, format = "number", field, fields, time, timezone }] of topics.entries()) {
    const at = `topics.${i}`;
    parseTopic(topic, `${at}.topic`);
    if (timezone !== undefined) checkTimezone(timezone, `${at}.timezone`);
    if (timezone !== undefined && time === undefined)
      throw invalid(`${at}.timezone`, "is that of the time in JSON: name its path in time");
    const given = { field: field !== undefined, fields: fields !== undefined, time: time !== undefined };
    const owner = { field: "number", fields: "json", time: "json" } as const;
    for (const key of ["field", "fields", "time"] as const)
      if (given[key] && format !== owner[key])
        throw invalid(`${at}.${key}`, `is for the format ${owner[key]} alone`);
  }
}
