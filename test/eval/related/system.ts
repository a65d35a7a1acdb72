// Generated systems of services: a call graph, metrics with common seasons, faults that travel to the callers, coincidences.
import { createRandom } from "../../../wasm/random.ts";

export const INTERVAL_MS = 60_000;
export const DAY = 1440;
/** Days before the first incident, and in all. */
export const CALM_DAYS = 2;
const DAYS = 5;
/** Effect on a latency, in deviations of its noise, that a person is paged for. */
const PAGED = 7;
/** Intervals between two incidents. */
const APART = 300;

const metrics = ["requests", "latency", "errors", "cpu", "memory", "queue", "threads"] as const;
type Metric = (typeof metrics)[number];

/** What a fault does to the metrics of its service, in deviations of the noise; callers see part of latency and errors. */
interface Fault {
  readonly effects: Partial<Record<Metric, number>>;
  /** Intervals until it has its full size. */
  readonly rise: number;
  /** Intervals from one stretch to the next of a fault that comes and goes; absent: it stays. */
  readonly period?: number;
  /** Share that each caller sees. */
  readonly spreads: number;
}

const faults: Readonly<Record<string, Fault>> = {
  "cpu hog": { effects: { cpu: 14, latency: 9, threads: 6 }, rise: 1, spreads: 0.7 },
  "memory leak": { effects: { memory: 16, latency: 5, cpu: 4 }, rise: 40, spreads: 0.6 },
  "slow disk": { effects: { latency: 14, queue: 10, threads: 8 }, rise: 2, spreads: 0.8 },
  "bad answers": { effects: { errors: 16 }, rise: 1, spreads: 0.7 },
  "instance lost": { effects: { requests: -8, cpu: -8, threads: -8, errors: 8 }, rise: 1, spreads: 0.6 },
  "packet loss": { effects: { latency: 10, errors: 10 }, rise: 1, spreads: 0.8 },
  "pool exhausted": { effects: { threads: 14, queue: 12, latency: 12 }, rise: 6, spreads: 0.8 },
  "garbage collection": { effects: { cpu: 10, latency: 12, memory: -6 }, rise: 1, period: 6, spreads: 0.7 },
  "queue backlog": { effects: { queue: 16, latency: 8 }, rise: 15, spreads: 0.5 },
  "cold cache": { effects: { latency: 10, cpu: 8, requests: 5 }, rise: 1, spreads: 0.7 },
  "wrong setting": { effects: { threads: -9, queue: 9, latency: 6 }, rise: 1, spreads: 0.6 },
  "traffic from a bot": { effects: { requests: 12, cpu: 10, latency: 4 }, rise: 3, spreads: 0.4 },
};
export const faultNames = Object.keys(faults);

export interface Series {
  readonly tags: Readonly<Record<string, string>>;
  readonly values: Float64Array;
}

export interface Incident {
  readonly fault: string;
  readonly service: string;
  /** First interval of its cause. */
  readonly at: number;
  readonly length: number;
  /** Index of a series of another service that shows it; that a person is paged for. */
  readonly symptom: number;
}

/** A single series that moves though nothing else does. */
export interface Coincidence {
  readonly series: number;
  readonly at: number;
  readonly length: number;
}

export interface System {
  readonly series: readonly Series[];
  readonly incidents: readonly Incident[];
  readonly coincidences: readonly Coincidence[];
}

/** Deterministic by its seed. @param count incidents, and as many coincidences */
export function makeSystem(seed: number, count: number): System {
  const random = createRandom(seed);
  const below = (n: number) => Math.floor(random.uniform() * n);
  const services = 20 + below(41);
  const callees = Array.from({ length: services }, (_, i) => {
    const deeper = services - 1 - i;
    if (deeper === 0) return [];
    return [...new Set(Array.from({ length: 1 + below(3) }, () => i + 1 + below(Math.min(deeper, 12))))];
  });
  const perService = Math.min(metrics.length, Math.max(5, Math.round(300 / services)));
  const used = metrics.slice(0, perService);
  const lengthOf = DAYS * DAY;
  const series = Array.from({ length: services }, (_, i) =>
    used.map((metric): Series & { readonly spread: number } => {
      const { values, spread } = makeSeries(metric, lengthOf, random);
      return { tags: { service: `service-${i}`, metric, env: "prod" }, values, spread };
    }),
  );
  const incidents: Incident[] = [];
  const coincidences: Coincidence[] = [];
  for (let k = 0; k < count; k++) {
    const base = CALM_DAYS * DAY + k * 2 * APART + 60 + below(120);
    const fault = faultNames[(seed * count + k) % faultNames.length]!;
    const incident = strike({ fault, at: base, series, callees, used, random });
    if (incident) incidents.push(incident);
    const alone = below(series.length);
    const metric = below(used.length);
    const at = base + APART;
    const length = 3 + below(20);
    const { values, spread } = series[alone]![metric]!;
    for (let i = at; i < at + length; i++) values[i]! += (8 + 6 * random.uniform()) * spread;
    coincidences.push({ series: alone * used.length + metric, at, length });
  }
  return { series: series.flat(), incidents, coincidences };
}

type Random = ReturnType<typeof createRandom>;

/** A daily season common to all, weaker in some, with noise that remembers, a drift in some and gaps in few. */
function makeSeries(metric: Metric, length: number, random: Random) {
  const level = 20 + 200 * random.uniform();
  const season = {
    requests: 0.5,
    latency: 0.1,
    errors: 0.05,
    cpu: 0.3,
    memory: 0.05,
    queue: 0.2,
    threads: 0.2,
  };
  const spread = level * (0.02 + 0.04 * random.uniform());
  const drift = random.uniform() < 0.15 ? (level * 0.1 * (random.uniform() - 0.5)) / DAY : 0;
  const memory = 0.6 * random.uniform();
  const phase = 30 * random.uniform();
  const values = new Float64Array(length);
  let noise = 0;
  for (let i = 0; i < length; i++) {
    noise = memory * noise + Math.sqrt(1 - memory ** 2) * random.normal();
    const daily = 1 + season[metric] * Math.sin((2 * Math.PI * (i - phase)) / DAY);
    values[i] = level * daily + drift * i + spread * noise;
  }
  if (random.uniform() < 0.1) {
    const from = Math.floor(random.uniform() * (length - 200));
    values.fill(Number.NaN, from, from + 20 + Math.floor(100 * random.uniform()));
  }
  return { values, spread };
}

interface Strike {
  readonly fault: string;
  readonly at: number;
  readonly series: readonly (readonly (Series & { readonly spread: number })[])[];
  readonly callees: readonly (readonly number[])[];
  readonly used: readonly Metric[];
  readonly random: Random;
}

/** Applies a fault to a service and, attenuated and later, to those that call it. @returns undefined where nobody does */
function strike({ fault, at, series, callees, used, random }: Strike): Incident | undefined {
  const callersOf = (service: number) =>
    callees.flatMap((called, i) => (called.includes(service) ? [i] : []));
  const withCallers = series.flatMap((_, i) => (callersOf(i).length > 0 ? [i] : []));
  const service = withCallers[Math.floor(random.uniform() * withCallers.length)];
  if (service === undefined) return undefined;
  const { effects, rise, period, spreads } = faults[fault]!;
  const length = 30 + Math.floor(60 * random.uniform());
  const apply = (target: number, own: Partial<Record<Metric, number>>, delay: number) => {
    for (const [k, metric] of used.entries()) {
      const effect = own[metric];
      if (effect === undefined) continue;
      const { values, spread } = series[target]![k]!;
      for (let i = 0; i < length; i++) {
        const share = Math.min(1, (i + 1) / rise);
        const isOn = period === undefined || i % period < period / 2;
        if (isOn) values[at + delay + i]! += effect * share * spread * (0.8 + 0.4 * random.uniform());
      }
    }
  };
  const size = 0.5 + random.uniform();
  apply(
    service,
    Object.fromEntries(Object.entries(effects).map(([metric, effect]) => [metric, effect * size])),
    0,
  );
  const visible = Math.max(Math.abs(effects.latency ?? 0), Math.abs(effects.errors ?? 0), 9);
  const symptoms: number[] = [];
  let [wave, share, delay] = [[service], spreads, 0];
  const seen = new Set([service]);
  while (wave.length > 0 && share * visible > 3) {
    delay += Math.floor(3 * random.uniform());
    const next = [...new Set(wave.flatMap(callersOf))].filter((caller) => !seen.has(caller));
    for (const caller of next) {
      seen.add(caller);
      // What callers show depends on how steady they are otherwise, not on the size of the fault.
      const effect = share * visible * (0.6 + 1.4 * random.uniform());
      apply(caller, { latency: effect, errors: (effects.errors ?? 0) * share, threads: effect / 2 }, delay);
      if (effect >= PAGED) symptoms.push(caller * used.length + used.indexOf("latency"));
    }
    [wave, share] = [next, share * spreads];
  }
  if (symptoms.length === 0) return undefined;
  const symptom = symptoms[Math.floor(random.uniform() * symptoms.length)]!;
  return { fault, service: `service-${service}`, at, length, symptom };
}
