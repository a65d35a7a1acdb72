// Schemas of server-sent events: changes of models, live detection, anomalies, jobs, buckets, calendars and deliveries.
import { Type } from "@sinclair/typebox";
import {
  anomalySteps,
  bucketSteps,
  calendarSteps,
  deliverySteps,
  liveOutcomes,
  modelSteps,
} from "../core/change.ts";
import { optional } from "../core/input/optional.ts";
import { oneOfWords } from "../core/input/words.ts";
import { SeverityLevel } from "./anomaly.ts";
import { JobProgress, JobState } from "./job-state.ts";
import { NullableNumber, type Shown, seconds } from "./shown.ts";

const id = Type.String({ description: "Give it as `Last-Event-ID` to go on after this event" });

const ModelEvent = Type.Object({ model: Type.String(), change: oneOfWords(modelSteps) });

const LiveEvent = Type.Object({
  model: Type.String(),
  window: seconds("End of the window, seconds since the epoch"),
  outcome: oneOfWords(liveOutcomes),
  score: NullableNumber,
});

const HookEvent = Type.Object({
  model: Type.String(),
  id: Type.String({ format: "uuid" }),
  change: oneOfWords(anomalySteps),
  start: Type.Optional(seconds("With `start`")),
  end: Type.Optional(seconds("With `end`")),
  peak_score: optional.number("With `start` and `peak`"),
  severity: Type.Optional(SeverityLevel),
  anomaly: Type.Optional(
    Type.Union([Type.Boolean(), Type.Null()], { description: "With `feedback`; null: withdrawn" }),
  ),
});

const JobEvent = Type.Object({
  id: Type.String({ format: "uuid" }),
  type: Type.String(),
  model: Type.Union([Type.String(), Type.Null()]),
  state: JobState,
  progress: Type.Optional(JobProgress),
  remaining_time: optional.number("Seconds"),
});

const BucketEvent = Type.Object({
  bucket: Type.String(),
  change: oneOfWords(bucketSteps),
  error: optional.text("With `failing`"),
});

const CalendarEvent = Type.Object({
  calendar: Type.String(),
  change: oneOfWords(calendarSteps),
  error: optional.text("With `failing`"),
});

const DeliveryEvent = Type.Object({
  id: Type.String({ description: "Of the delivery" }),
  model: Type.String({ description: "Model of the anomaly" }),
  hook: Type.String({ description: "Name of the hook" }),
  global: Type.Optional(Type.Literal(true, { description: "The hook is a global one" })),
  change: oneOfWords(deliverySteps),
  error: optional.text("Of the last attempt"),
});

const event = <D extends ReturnType<typeof Type.Object>>(name: string, data: D, description: string) =>
  Type.Object({ id, event: Type.Literal(name), data }, { description });
const nothing = Type.Object({});

export const ServerEvent = Type.Union(
  [
    event("ready", nothing, "The first one: nothing was missed before it"),
    event("reset", nothing, "The first one, in place of `ready`: events were missed, read everything again"),
    event("model", ModelEvent, "A model was changed"),
    event("live", LiveEvent, "A window was evaluated"),
    event("anomaly", HookEvent, "An anomaly of live detection was changed"),
    event(
      "job",
      JobEvent,
      "A job changed its state, or reports progress: at most twice a second, to connected clients alone",
    ),
    event(
      "bucket",
      BucketEvent,
      "A bucket was changed; `failing`: live detection cannot read it, `back`: it can again",
    ),
    event(
      "calendar",
      CalendarEvent,
      "A calendar was changed; `failing`: its address cannot be read, `back`: it can again",
    ),
    event(
      "delivery",
      DeliveryEvent,
      "A notification of a hook; `waiting`: an attempt has failed, another one follows",
    ),
  ],
  { $id: "ServerEvent", description: "`id`, `event` and `data` of the stream; `data` is JSON" },
);
export type ServerEventView = Shown<typeof ServerEvent>;

export const EventStream = Type.String({
  description:
    "Server-sent events (HTML, section 9.2). Beside those of ServerEvent, `end` with a `reason` is the last one: `slow`, `forbidden` or `stopping`",
});
