// Units by names: the conventions of Prometheus and Telegraf, and only those that leave no doubt.

interface Named {
  /** Absent: not known. */
  readonly measurement?: string | null | undefined;
  readonly field: string;
}

/** Last word of a name that states the unit. */
const lastWords: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bytes: "B",
    bits: "bit",
    kilobytes: "kB",
    megabytes: "MB",
    nanoseconds: "ns",
    microseconds: "µs",
    milliseconds: "ms",
    seconds: "s",
    ns: "ns",
    ms: "ms",
    percent: "%",
    pct: "%",
    percentage: "%",
    ratio: "ratio",
    celsius: "°C",
    fahrenheit: "°F",
    kelvin: "K",
    volts: "V",
    amperes: "A",
    watts: "W",
    joules: "J",
    hertz: "Hz",
    grams: "g",
    meters: "m",
    pascals: "Pa",
  }),
);
/** First word of a name that states the unit, as in `bytes_recv`. */
const firstWords: ReadonlyMap<string, string> = new Map([
  ["bytes", "B"],
  ["percent", "%"],
]);

/** Parts of a distribution or a counter that have the unit of the whole. */
const partSuffix = /_(total|sum|min|max|avg|mean|p\d+(_\d+)?)$/;
/** Numbers of observations, instants, and ratios that are no share of a whole. */
const isOther =
  /(_count|_bucket|(^|_)(timestamp|start_time|boot_time|expiry|time_of_day)_seconds|compression_ratio)$/;

/** Fields of Telegraf whose name says the unit in their measurement alone. */
const telegraf: readonly (readonly [measurement: RegExp, field: RegExp, unit: string])[] = [
  [/^cpu$/, /^usage_/, "%"],
  [/^(mem|disk|swap)$/, /^(used|free|total|available|active|inactive|buffered|cached|in|out)$/, "B"],
  [/^diskio$/, /^(read|write|io|weighted_io)_time$/, "ms"],
  [/^system$/, /^uptime$/, "s"],
  [/^temp$/, /^temp$/, "°C"],
  [/^(http|net)_response$/, /^response_time$/, "s"],
  [/^procstat$/, /^memory_(rss|vms|swap|data|stack|locked|pss|uss|shared)$/, "B"],
  [/^procstat$/, /^(cpu|memory)_usage$/, "%"],
  [/^docker_container_mem$/, /^(usage|limit|max_usage|rss|cache)$/, "B"],
];
/** Fields of Telegraf that no other source is known to use for something else. */
const telegrafFields: ReadonlyMap<string, string> = new Map([
  ...[
    "idle",
    "user",
    "system",
    "iowait",
    "irq",
    "softirq",
    "steal",
    "guest",
    "guest_nice",
    "nice",
    "active",
  ].map((state) => [`usage_${state}`, "%"] as const),
  ...["read", "write", "weighted_io"].map((work) => [`${work}_time`, "ms"] as const),
]);
/** Fields of sources that name the metric in the measurement. */
const generic: ReadonlySet<string> = new Set(["value", "gauge", "counter", "sum"]);

/** The unit of the points of a field by its name; undefined where it is not certain. */
export function guessUnit({ measurement, field }: Named): string | undefined {
  const name = (measurement && generic.has(field) ? measurement : field).toLowerCase().replaceAll(".", "_");
  return unitOfTelegraf(measurement ?? "", name) ?? unitOfName(name);
}

function unitOfTelegraf(measurement: string, field: string): string | undefined {
  const row = telegraf.find(
    ([ofMeasurement, ofField]) => ofMeasurement.test(measurement) && ofField.test(field),
  );
  if (row) return row[2];
  return measurement === "" ? telegrafFields.get(field) : undefined;
}

function unitOfName(name: string): string | undefined {
  if (isOther.test(name)) return undefined;
  const [, amount, per] = /^(.+)_per_(second|sec|s)$/.exec(name) ?? [];
  if (per) {
    const unit = unitOfName(amount!) ?? lastWords.get(amount!);
    return unit === "B" || unit === "bit" ? `${unit}/s` : undefined;
  }
  const words = name.replace(partSuffix, "").split("_");
  if (words.length < 2 || words.includes("per")) return undefined;
  return lastWords.get(words.at(-1)!) ?? firstWords.get(words[0]!);
}
