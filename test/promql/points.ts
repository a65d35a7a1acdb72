// Points for comparisons with Prometheus: the same ones as line protocol and as OpenMetrics, others for remote write.
import { type SentSeries, STALE } from "../support/remote-write.ts";

/** Start, seconds since the epoch, a multiple of all steps. */
export const FROM_S = 1_700_000_100;
const HOURS = 2;
const STEP_S = 15;
const STEPS = (HOURS * 3600) / STEP_S;

interface Sample {
  readonly measurement: string;
  readonly field: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Seconds since the epoch. */
  readonly at: number;
  readonly value: number;
}

/** About 10 000 points: counters with resets, gauges with gaps, sparse and irregular series, one that ends. */
export function makeSamples(): Sample[] {
  const samples: Sample[] = [];
  const add = (name: string, tags: Sample["tags"], at: number, value: number) => {
    const [measurement = "", field = ""] = name.split(".");
    samples.push({ measurement, field, tags, at: FROM_S + at, value });
  };
  const random = makeRandom();
  const hosts = [
    { host: "a", zone: "east" },
    { host: "b", zone: "east" },
    { host: "c", zone: "west" },
  ] as const;
  for (const [i, tags] of hosts.entries()) {
    for (let step = 0; step <= STEPS; step++) {
      // A gap of 20 minutes in the series of b.
      if (i === 1 && step > 200 && step < 280) continue;
      const wave = 1 + 0.5 * Math.sin(step / 30 + i) + 0.1 * random();
      add("load.one", tags, step * STEP_S, Math.round(wave * 1e6) / 1e6);
      add("mem.used", tags, step * STEP_S, Math.round((2 + i + wave) * 1e9));
      if (step % 4 === 0) add("mem.total", tags, step * STEP_S, 8e9);
      if (step % 4 === 1)
        add("info.version", { host: tags.host, version: `1.${i % 2}` }, step * STEP_S, 1 + (i % 2));
    }
  }
  for (const job of ["api", "web"])
    for (const instance of ["1", "2"]) {
      let count = job === "api" ? 1000 : 0;
      for (let step = 0; step <= STEPS; step++) {
        count = step % 170 === 169 ? 3 : count + Math.floor(random() * 20);
        add("http.requests", { job, instance }, step * STEP_S + Number(instance), count);
      }
    }
  // Classic histograms: one that falls between its bounds, and one without an infinite bound.
  for (const [i, job] of ["api", "web", "open"].entries())
    for (let step = 0; step <= STEPS; step += 2)
      for (const [k, le] of ["-1", "0.1", "0.5", "2.5", "1e1", "+Inf"].entries())
        if (job !== "open" || le !== "+Inf")
          add(
            "lat.bucket",
            { job, le },
            step * STEP_S,
            step * (k + i) - (job === "web" && k === 3 ? step : 0),
          );
  for (let at = 0; at <= HOURS * 3600; at += 420) add("sparse.value", { host: "a" }, at, at / 60);
  for (let at = 0; at <= HOURS * 3600; at += 5 + Math.floor(random() * 150))
    add("irregular.v", {}, at, Math.round(random() * 2000 - 1000) / 8);
  for (let at = 0; at <= 3000; at += 60) add("gone.value", { host: "a" }, at, -at);
  for (let at = 0; at <= HOURS * 3600; at += 60) add("huge.value", {}, at, at * 1.5e300);
  return samples;
}

/** Series with NaN, infinities and stale markers, which neither format has. */
export function makeSpecialSeries(): SentSeries[] {
  const random = makeRandom();
  const values = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const series: SentSeries[] = [];
  const add = (
    labels: Record<string, string>,
    valueAt: (step: number) => number | typeof STALE | undefined,
  ) => {
    const samples = Array.from({ length: STEPS + 1 }, (_, step) => [stepAt(step), valueAt(step)] as const);
    const known = samples.filter((one): one is [number, number | typeof STALE] => one[1] !== undefined);
    series.push({ labels, samples: known, exemplars: 0 });
  };
  for (const host of ["a", "b", "c"]) {
    // A target that goes away for 2 to 20 minutes and comes back.
    let awayFor = 0;
    add({ __name__: "flaky_value", host, zone: host === "c" ? "west" : "east" }, (step) => {
      if (awayFor > 0) return --awayFor > 0 ? undefined : step;
      if (random() < 0.02) awayFor = 8 + Math.floor(random() * 72);
      return awayFor > 0 ? STALE : Math.round(random() * 1000) / 8;
    });
    add({ __name__: "odd_value", host, zone: "east" }, () =>
      random() < 0.1 ? values[Math.floor(random() * values.length)]! : Math.round(random() * 100),
    );
    add({ __name__: "total_value", host }, (step) =>
      step % 50 === 49 ? STALE : step * (host === "a" ? 2 : 3),
    );
  }
  add({ __name__: "quantile_value", quantile: "0.9" }, (step) => (step === STEPS - 10 ? STALE : Number.NaN));
  return series;
}

const stepAt = (step: number) => (FROM_S + step * STEP_S) * 1000;

export function toLines(samples: readonly Sample[]): string {
  return samples
    .map(({ measurement, field, tags, at, value }) => {
      const pairs = Object.entries(tags).map(([name, tag]) => `,${name}=${tag}`);
      return `${measurement}${pairs.join("")} ${field}=${value} ${at}`;
    })
    .join("\n");
}

/** Sorted by series, as OpenMetrics demands. */
export function toOpenMetrics(samples: readonly Sample[], bucket: string): string {
  const lines = samples.map(({ measurement, field, tags, at, value }) => {
    const labels = Object.entries({ bucket, ...tags }).map(([name, tag]) => `${name}="${tag}"`);
    return { name: `${measurement}_${field}`, line: `{${labels.join(",")}} ${value} ${at}` };
  });
  const byName = Map.groupBy(lines, ({ name }) => name);
  const texts = [...byName].map(([name, own]) => own.map(({ line }) => name + line).join("\n"));
  return `${texts.join("\n")}\n# EOF\n`;
}

/** Mulberry32: the same numbers at each run. */
function makeRandom(): () => number {
  let state = 7;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
