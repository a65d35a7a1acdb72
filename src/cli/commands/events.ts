// Commands watch-events and list-deliveries: changes on the server, and notifications of people.
import type { HookDeliveryView } from "../../api/hook.ts";
import { invalid } from "../../core/errors.ts";
import { createFrameParser, type Frame } from "../../core/formats/event-frames.ts";
import { sleep } from "../../runtime/deadline.ts";
import { type Context, defineCommand } from "../command/command.ts";
import { definedOnly } from "../command/options.ts";
import { answerTable, instantColumn } from "../output/present.ts";
import { clean } from "../terminal/table.ts";

/** Delay before the stream is opened again. */
const RETRY_MS = 1000;

const watchEvents = defineCommand({
  name: "watch-events",
  group: "live detection",
  summary: "Print a line per event, until it is interrupted",
  details: [
    "A lost connection is opened again, and goes on after the last event.",
    "--json prints id, event and data of each, one object per line.",
  ],
  options: {
    types: {
      value: "A,B",
      type: "list",
      fallback: "all",
      description: "model, live, anomaly, job, bucket, calendar or delivery",
    },
    models: { value: "A,B", type: "list", fallback: "all", description: "Only events of these models" },
    count: { short: "n", value: "N", type: "integer", description: "Exit after so many events" },
  },
  examples: [
    ["torus watch-events --types anomaly,delivery", "anomalies, and who was notified"],
    ["torus watch-events --models trips --json", "for a program"],
  ],
  async run(context, { options: { types, models, count = Number.POSITIVE_INFINITY } }) {
    if (count < 1) throw invalid("--count", "must be at least 1");
    const filter = definedOnly<string>({ types: types?.join(";"), models: models?.join(";") });
    let lastId: string | undefined;
    let left = count;
    while (!context.signal.aborted) {
      const query = { ...filter, ...(lastId !== undefined && { last_event_id: lastId }) };
      // A wrong filter is refused; later failures are those of the connection.
      const opening = context.client.open("GET /events", { query });
      const answer = await (lastId === undefined ? opening : opening.catch(() => undefined));
      if (answer?.body)
        for await (const frame of readFrames(answer.body)) {
          lastId = frame.id ?? lastId;
          if (frame.event === "ready") continue;
          printEvent(context, frame);
          if (--left === 0) return;
        }
      await sleep(RETRY_MS, context.signal);
    }
  },
});

/** Frames until the stream ends or breaks. */
async function* readFrames(body: ReadableStream<Uint8Array>): AsyncGenerator<Frame> {
  const parse = createFrameParser();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => ({ done: true as const, value: undefined }));
      if (done) return;
      yield* parse(decoder.decode(value, { stream: true }));
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** `2026-01-31 12:00:00  anomaly  model=trips change=start peak_score=93.4` */
function printEvent({ globals, times, print }: Context, { id, event, data }: Frame): void {
  const fields = JSON.parse(data) as Record<string, unknown>;
  if (globals.json) {
    print(JSON.stringify({ id, event, data: fields }));
    return;
  }
  const words = Object.entries(fields).map(
    ([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  print(clean(`${times.format(Math.floor(Date.now() / 1000))}  ${event}  ${words.join(" ")}`));
}

const listDeliveries = defineCommand({
  name: "list-deliveries",
  group: "live detection",
  summary: "List the notifications of all hooks, newest first",
  options: {
    state: { value: "STATE", description: "waiting, sent, rejected or expired; several separated by ;" },
    model: { short: "m", value: "MODEL", description: "Only those of this model; several separated by ;" },
    since: { value: "DATE", description: "Only those created since, as in now-1d" },
    limit: {
      value: "N",
      type: "integer",
      fallback: "100",
      description: "Maximum number of deliveries, up to 100",
    },
  },
  examples: [["torus list-deliveries --state 'waiting;rejected' --since now-1d", "what did not arrive"]],
  async run(context, { options: { limit = 100, ...filter } }) {
    const query = { ...definedOnly<string>(filter), page: 0, per_page: limit };
    const deliveries = await context.client.call<HookDeliveryView[]>("GET /deliveries", { query });
    answerTable(context, deliveries, {
      columns: [
        instantColumn(context, "CREATED", { at: (row) => row.created_timestamp, isWhole: true }),
        { title: "MODEL", value: ({ model }) => model },
        { title: "HOOK", value: ({ hook, global }) => (global ? `${hook} (global)` : hook) },
        { title: "EVENT", value: ({ event, test }) => (test ? `${event} (test)` : event) },
        { title: "STATE", value: ({ state }) => state },
        { title: "ATTEMPTS", align: "right", value: ({ attempts }) => String(attempts) },
        { title: "ERROR", value: ({ error }) => error ?? "" },
      ],
      name: ({ id }) => id,
      empty: "no deliveries",
    });
  },
});

export const eventCommands = [watchEvents, listDeliveries];
