// Live demo: replays a snow storm 7 200 times as fast, with live detection and the resulting mails.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type SmtpServer, startSmtp } from "../support/smtp.ts";
import { formatAt } from "./report.ts";
import { runOnStage, type Stage } from "./stage.ts";
import { readTaxi, STEP, type Taxi } from "./taxi.ts";

const BUCKET = "live";
const MODEL = "taxi-live";
/** A half hour of then is a quarter of a second now. */
const TICK_MS = 250;
const HISTORY = 5160;
/** From the night before the storm until the city drives again. */
const FROM = Date.parse("2015-01-26T00:00:00Z") / 1000;
const TO = Date.parse("2015-01-28T18:00:00Z") / 1000;
/** What half hours would get by themselves; a quarter of a second would be allowed far fewer false alarms. */
const THRESHOLDS = { max_threshold: 47, min_threshold: 30 };
const MAIL_DEADLINE_MS = 15_000;

/** Point `first` of the file is now; the others before and after it, a tick each. */
interface Replay {
  readonly taxi: Taxi;
  readonly first: number;
  readonly last: number;
  /** ms since the epoch, a multiple of TICK_MS. */
  readonly startAt: number;
}

/** @returns the exit code */
export async function runLive(): Promise<number> {
  const smtp = await startSmtp();
  const prepare = async (dir: string) => {
    const file = join(dir, "mail.yml");
    await writeFile(file, `smtp: {host: 127.0.0.1, port: ${smtp.port}, tls: false}\n`);
    return ["--mail-config", file];
  };
  return runOnStage((stage) => play(stage, smtp), { prepare, release: () => smtp.stop() });
}

async function play(stage: Stage, smtp: SmtpServer): Promise<void> {
  const taxi = await readTaxi();
  const [first, last] = [taxi.times.indexOf(FROM), taxi.times.indexOf(TO)];
  await prepareModel(stage, { taxi, first, last, startAt: nextTick(Date.now()) });
  const startAt = nextTick(Date.now() + TICK_MS);
  const replay = { taxi, first, last, startAt };
  await stage.client
    .write(BUCKET, pointsOf(replay, first - HISTORY, first))
    .then((id) => stage.client.waitForJob(id));
  await stage.steps.run("live", () => watch(stage, replay, smtp));
  for (const mail of smtp.mails) stage.print(`\n  ${mail.headers.get("subject")}\n\n${indent(mail.text)}`);
}

function nextTick(at: number): number {
  return Math.ceil(at / TICK_MS) * TICK_MS;
}

function pointsOf({ taxi, first, startAt }: Replay, from: number, to: number) {
  return Array.from({ length: to - from }, (_, k) => ({
    timestamp: (startAt + (from + k - first) * TICK_MS) / 1000,
    value: taxi.values[from + k]!,
  }));
}

async function prepareModel({ client, steps }: Stage, replay: Replay): Promise<void> {
  await steps.run("train", async () => {
    await client.putBucket({ name: BUCKET, type: "local" });
    const history = pointsOf(replay, replay.first - HISTORY, replay.first);
    await client.waitForJob(await client.write(BUCKET, history));
    const feature = { name: "passengers", metric: "avg", field: "value" };
    const interval = `${TICK_MS / 1000}s`;
    const settings = {
      name: MODEL,
      type: "donut",
      default_bucket: BUCKET,
      bucket_interval: interval,
      span: 48,
    };
    await client.createModel({
      ...settings,
      offset: interval,
      features: [feature],
      max_evals: 2,
      ...THRESHOLDS,
    });
    const [from, to] = [history[0]!.timestamp, history.at(-1)!.timestamp];
    await client.waitForJob(await client.train(MODEL, { from, to }));
    await client.call(`POST /buckets/${BUCKET}/_clear`);
    const mailbox = { from: { address: "torus@example.org" }, to: { address: "ops@example.org" } };
    await client.call(`POST /models/${MODEL}/hooks`, {
      body: { type: "mail", name: "ops", config: mailbox },
    });
    return { value: undefined, note: `model ${MODEL} on the ${HISTORY} half hours before ${formatAt(FROM)}` };
  });
}

/** Writes the points as their time comes, while the server watches; ends when both mails are there. */
async function watch({ client, print }: Stage, replay: Replay, smtp: SmtpServer) {
  const { first, last, startAt, taxi } = replay;
  await client.call(`POST /models/${MODEL}/_start?detect_anomalies=true`);
  let printed = 0;
  for (let i = first; i < last; i++) {
    await Bun.sleep(Math.max(0, startAt + (i - first + 1) * TICK_MS - Date.now()));
    await client.write(BUCKET, pointsOf(replay, i, i + 1));
    for (; printed < smtp.mails.length; printed++) {
      const subject = smtp.mails[printed]!.headers.get("subject");
      print(`  ${formatAt(taxi.times[i]!)}  ${taxi.values[i]} passengers  mail: ${subject}`);
    }
  }
  const until = Date.now() + MAIL_DEADLINE_MS;
  while (smtp.mails.length < 2 && Date.now() < until) await Bun.sleep(TICK_MS);
  demand(
    smtp.mails.length >= 2,
    `${smtp.mails.length} mails came, not one for the start and one for the end`,
  );
  const episodes = await client.call<{ start: number; end: number | null; peak_score: number }[]>(
    `GET /models/${MODEL}/anomalies`,
  );
  demand(episodes.length > 0, "the server lists no anomaly");
  const hours = ((last - first) * STEP) / 3600;
  return {
    value: undefined,
    note: `${hours} hours replayed, ${episodes.length} anomalies, ${smtp.mails.length} mails`,
  };
}

function indent(text: string): string {
  return text.replace(/^/gm, "    ");
}

function demand(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}
