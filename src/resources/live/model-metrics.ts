// Last values of live models in Prometheus text format; those of a fleet by series.
import { type Ownership, soleOwner } from "../../core/ownership.ts";
import { type StoredSettings, storedSettings } from "../../live/stored-settings.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Store } from "../../store/db/open.ts";
import { type LiveValues, readLiveValues, readSeriesValues } from "../../store/live-values.ts";
import { readAllModels } from "../../store/models.ts";
import { labelsOf } from "../promql/names.ts";

/** Metrics with their help, in the order of the answer. */
export const modelGauges = {
  score: "Score of the last interval, 0 to 100",
  anomaly: "1 while an anomaly is in progress, else 0",
  no_data: "1 while points are missing for longer than the silence of the model, else 0",
  observed: "Value of a feature in the last interval",
  expected: "Value that the model expected in the last interval",
  lag_seconds: "From the end of the last evaluated window, and the offset of the model, to now",
} as const;
type Gauge = keyof typeof modelGauges;
const gauges = Object.keys(modelGauges) as Gauge[];

export const gaugeName = (gauge: string): string => `torus_model_${gauge}`;

/** Of the text exposition format 0.0.4. */
export const contentType = "text/plain; version=0.0.4; charset=utf-8";

/** A model, or one series of a fleet, after its last evaluation. */
interface Subject extends Pick<LiveValues, "model" | "isAnomalous" | "isSilent" | "windowAt"> {
  readonly last: LiveValues["last"] | undefined;
  readonly tags: Readonly<Record<string, string>>;
}

interface ModelMetricsDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  /** Models that are shown: each node shows its own, so that alerts fire once. Default: all. */
  readonly ownership?: Ownership;
}

export class ModelMetrics {
  #underway: Promise<readonly string[]> | undefined;

  constructor(private readonly deps: ModelMetricsDeps) {}

  /** The answer in parts; requests that come meanwhile share it. */
  render(): Promise<readonly string[]> {
    this.#underway ??= this.#render().finally(() => {
      this.#underway = undefined;
    });
    return this.#underway;
  }

  async #render(): Promise<readonly string[]> {
    const { store, ownership = soleOwner } = this.deps;
    const settings = new Map((await readAllModels(store)).map((row) => [row.name, row]));
    const text = new GaugeText();
    for await (const page of readLiveValues(store))
      for (const values of page) {
        const row = settings.get(values.model);
        // Created since the models were read.
        if (row && ownership.owns(values.model)) await this.#add(text, values, storedSettings(row));
      }
    return text.parts;
  }

  async #add(
    text: GaugeText,
    { model, last, isAnomalous, isSilent, windowAt, offsetMs }: LiveValues,
    { settings, offsetMs: fixedMs = offsetMs }: StoredSettings,
  ): Promise<void> {
    const nowAt = this.deps.clock.now() - fixedMs;
    if (!settings.group_by)
      return text.add({ model, tags: {}, last, isAnomalous, isSilent, windowAt }, nowAt);
    for await (const page of readSeriesValues(this.deps.store, model))
      for (const { tags, status, score, windowAt, last, heldEpisode } of page) {
        const own = {
          last: last ? { ...last, score } : undefined,
          isAnomalous: status === "anomalous" || heldEpisode !== null,
          isSilent: status === "silent",
        };
        text.add({ model, tags, windowAt, ...own }, nowAt);
      }
  }
}

/** Lines of each metric: the format wants them in one group. */
class GaugeText {
  readonly #lines: Record<Gauge, string[]> = {
    score: [],
    anomaly: [],
    no_data: [],
    observed: [],
    expected: [],
    lag_seconds: [],
  };

  /** @param nowAt less the offset of the model, ms since the epoch */
  add({ model, tags, last, isAnomalous, isSilent, windowAt }: Subject, nowAt: number): void {
    const labels = labelText({ model }, tags);
    this.#push("anomaly", labels, Number(isAnomalous));
    this.#push("no_data", labels, Number(isSilent));
    if (windowAt !== null) this.#push("lag_seconds", labels, Math.max(0, nowAt - windowAt) / 1000);
    if (!last) return;
    if (last.score !== null) this.#push("score", labels, last.score);
    for (const [feature, observed] of Object.entries(last.values)) {
      const expected = last.expected?.[feature] ?? null;
      if (observed === null && expected === null) continue;
      const own = labelText({ model, feature }, tags);
      if (observed !== null) this.#push("observed", own, observed);
      if (expected !== null) this.#push("expected", own, expected);
    }
  }

  /** One per metric, with its help and type; a metric without samples is left out. */
  get parts(): readonly string[] {
    return gauges.flatMap((gauge) => {
      const lines = this.#lines[gauge];
      if (lines.length === 0) return [];
      const name = gaugeName(gauge);
      return [`# HELP ${name} ${modelGauges[gauge]}\n# TYPE ${name} gauge\n${lines.join("")}`];
    });
  }

  #push(gauge: Gauge, labels: string, value: number): void {
    this.#lines[gauge].push(`${gaugeName(gauge)}${labels} ${value}\n`);
  }
}

function labelText(own: Readonly<Record<string, string>>, tags: Subject["tags"]): string {
  const pairs = [...labelsOf("", own, tags)].map(([name, value]) => `${name}="${escapeValue(value)}"`);
  return `{${pairs.join(",")}}`;
}

/** As the text format wants it. */
function escapeValue(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}
