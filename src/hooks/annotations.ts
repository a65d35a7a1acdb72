// Kind `annotations`: writes anomalies into a bucket, for dashboards to draw over the data.
import { Type } from "@sinclair/typebox";
import { type HookEvent, isStart, topicOf } from "../core/anomaly/event.ts";
import { Name } from "../core/input/name.ts";
import type { HookKind } from "./kind.ts";
import { summarize } from "./shared/describe.ts";
import { toOutcome } from "./shared/outcome.ts";
import { readValues } from "./shared/text.ts";

const AnnotationsConfig = Type.Object(
  {
    id: Type.Optional(
      Type.Union([Type.String({ maxLength: 256 }), Type.Null()], {
        description: "Sent by dashboards; stored",
        rule: "must be a text or null",
      }),
    ),
    type: Type.String({ minLength: 1, maxLength: 256, description: "Tag `type` of the annotations" }),
    text: Type.Optional(
      Type.Union([Type.String({ maxLength: 65_536 }), Type.Null()], {
        description: "Text of the annotations",
        rule: "must be a text or null",
      }),
    ),
    bucket: Name,
  },
  { additionalProperties: false },
);

export const annotations: HookKind<typeof AnnotationsConfig> = {
  kind: "annotations",
  description: "Writes an annotation per anomaly into an influxdb or local bucket",
  config: AnnotationsConfig,
  secrets: [],
  destination: [],
  preview: (event, { text }, { timezone }) => ({ text: textOf(event, text, timezone) }),
  deliver: async (event, { type, text, bucket }, { annotate, now, timezone, signal }) => {
    const annotation = {
      id: event.levelShift ? event.id : event.episode,
      type,
      model: event.model,
      // Features of an anomaly are those of its start in both events: the text does not change at the end.
      text: textOf(event, text, timezone),
      startAt: event.startedAt,
      modifiedAt: now(),
      ...(!isStart(event.kind) && { endAt: event.at }),
    };
    try {
      await annotate(bucket, annotation, signal);
      return "sent";
    } catch (error) {
      return toOutcome(error);
    }
  },
};

function textOf(event: HookEvent, text: string | null | undefined, timezone: string): string {
  return `${event.test ? "[test] " : ""}${text || reasonOf(event, timezone)}`;
}

function reasonOf(event: HookEvent, timezone: string): string {
  if (topicOf(event.kind) !== "anomaly") return summarize(event);
  return readValues(event, timezone).reason || "anomaly";
}
