// Vocabulary of units: symbols, their prefixes, and the words of UCUM, Prometheus and people for them.

/** A size from which on numbers are shown in `symbol`. */
export interface Step {
  /** Smallest size, in base units. */
  readonly from: number;
  /** Base units of one `symbol`. */
  readonly factor: number;
  readonly symbol: string;
  /** Symbol beside the number 1, where it is another. */
  readonly one?: string;
}

interface Family {
  readonly symbol: string;
  /** Powers of 1000 of its prefixes, as -2 of `µ`. */
  readonly least: number;
  readonly most: number;
  /** Other symbols, with capitals as here. */
  readonly symbols: readonly string[];
  /** Names, in lower case. */
  readonly words: readonly string[];
}

const prefixes: ReadonlyMap<number, string> = new Map([
  [-3, "n"],
  [-2, "µ"],
  [-1, "m"],
  [0, ""],
  [1, "k"],
  [2, "M"],
  [3, "G"],
  [4, "T"],
  [5, "P"],
  [6, "E"],
]);
/** Powers of 1000 of prefixes as they are typed. */
export const prefixPowers: ReadonlyMap<string, number> = new Map([
  ...[...prefixes].map(([power, prefix]) => [prefix, power] as const),
  ...([["K", 1], ["u", -2], ["μ", -2]] as const), // biome-ignore format: one line
]);
/** Powers of 1000 of prefixes that are spelled out. */
export const longPrefixes: ReadonlyMap<string, number> = new Map([
  ["kilo", 1],
  ["mega", 2],
  ["giga", 3],
  ["tera", 4],
  ["peta", 5],
  ["milli", -1],
  ["micro", -2],
  ["nano", -3],
]);

const list = (text: string) => text.split(" ").filter((word) => word !== "");
const family = (
  symbol: string,
  [least, most]: readonly [number, number],
  symbols: string,
  words: string,
) => ({
  ...{ symbol, least, most },
  symbols: [symbol, ...list(symbols)],
  words: list(words),
});

/** Units with prefixes of powers of 1000, bytes too: `GB` is 10^9 bytes. */
const families: readonly Family[] = [
  family("B", [0, 6], "By", "byte bytes"),
  family("bit", [0, 6], "", "bit bits"),
  family("Hz", [0, 4], "", "hertz"),
  family("V", [-2, 2], "", "volt volts"),
  family("A", [-2, 2], "", "ampere amperes amp amps"),
  family("W", [-2, 4], "", "watt watts"),
  family("VA", [0, 3], "", ""),
  family("J", [-1, 4], "", "joule joules"),
  family("Wh", [0, 4], "", ""),
  family("Ah", [-1, 1], "", ""),
  family("Pa", [0, 3], "", "pascal pascals"),
  family("bar", [-1, 0], "", ""),
  family("m", [-3, 1], "", "meter meters metre metres"),
  family("g", [-2, 1], "", "gram grams"),
  family("L", [-2, 0], "l", "liter liters litre litres"),
  family("Ω", [0, 2], "Ohm", "ohm ohms"),
];

/** Units without prefixes. */
const plain: readonly Family[] = [
  family("%", [0, 0], "", "percent pct percentage"),
  family("°C", [0, 0], "Cel degC", "celsius"),
  family("°F", [0, 0], "[degF] degF", "fahrenheit"),
  family("K", [0, 0], "", "kelvin"),
  family("°", [0, 0], "deg", "degree degrees"),
  family("dB", [0, 0], "", "decibel decibels"),
  family("lx", [0, 0], "", "lux"),
  ...list("dBm hPa mmHg rpm ppm").map((symbol) => family(symbol, [0, 0], "", "")),
];

/** Seconds of the units of time; a time is shown in one of them, as in `1.5 h`. */
export const times: readonly Step[] = [
  { from: 0, factor: 1e-9, symbol: "ns" },
  { from: 1e-6, factor: 1e-6, symbol: "µs" },
  { from: 1e-3, factor: 1e-3, symbol: "ms" },
  { from: 1, factor: 1, symbol: "s" },
  { from: 60, factor: 60, symbol: "min" },
  { from: 3600, factor: 3600, symbol: "h" },
  { from: 86_400, factor: 86_400, symbol: "d" },
];
const timeWords: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ns: "nsec nanosecond nanoseconds",
    µs: "us μs usec microsecond microseconds",
    ms: "msec millis millisecond milliseconds",
    s: "sec secs second seconds",
    min: "minute minutes",
    h: "hr hour hours",
    d: "day days",
  }).flatMap(([symbol, words]) => [symbol, ...list(words)].map((word) => [word, symbol] as const)),
);

/** The unit of time of a symbol or word; undefined if there is none. */
export function timeOf(word: string): Step | undefined {
  const symbol = timeWords.get(word) ?? timeWords.get(word.toLowerCase());
  return times.find((step) => step.symbol === symbol);
}

/** Multiples of a byte by powers of 1024. */
export const binaryBytes: readonly Step[] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"].map(
  (symbol, power) => ({ from: power === 0 ? 0 : 1024 ** power, factor: 1024 ** power, symbol }),
);

const bySymbol = new Map([...families, ...plain].flatMap((one) => one.symbols.map((name) => [name, one])));
const byWord = new Map([...families, ...plain].flatMap((one) => one.words.map((name) => [name, one])));

export const familyOfSymbol = (symbol: string): Family | undefined => bySymbol.get(symbol);
export const familyOfWord = (word: string): Family | undefined => byWord.get(word.toLowerCase());

/** The prefix of a power of 1000; undefined where the unit does not take it. */
export function prefixOf({ least, most }: Family, power: number): string | undefined {
  return power >= least && power <= most ? prefixes.get(power) : undefined;
}

/** Sizes of a unit with its prefixes, ascending. */
export function stepsOf({ symbol, least, most }: Family): readonly Step[] {
  return [...prefixes]
    .filter(([power]) => power >= least && power <= most)
    .map(([power, prefix]) => {
      const factor = 1000 ** power;
      return { from: power === least ? 0 : factor, factor, symbol: `${prefix}${symbol}` };
    });
}

/** Sizes of what has no symbol, or is counted: `k`, `M`. */
export const countSteps: readonly Step[] = ["", "k", "M", "G", "T", "P", "E"].map((symbol, power) => ({
  from: power === 0 ? 0 : 1000 ** power,
  factor: 1000 ** power,
  symbol,
}));

/** Sizes of numbers without a unit; the outermost have no prefix. */
export const numberSteps: readonly Step[] = [
  { from: 0, factor: 1, symbol: "" },
  ...["a", "f", "p", "n", "µ"].map((symbol, i) => ({
    from: 1e-18 * 1000 ** i,
    factor: 1e-18 * 1000 ** i,
    symbol,
  })),
  { from: 1e-3, factor: 1, symbol: "" },
  ...["k", "M", "G", "T", "P", "E", "Z", "Y"].map((symbol, i) => ({
    from: 1000 ** (i + 1),
    factor: 1000 ** (i + 1),
    symbol,
  })),
  { from: 1e27, factor: 1, symbol: "" },
];
