// Unit texts of UCUM, Prometheus and people, and the numbers shown in them.
import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  formatSi,
  formatTicks,
  formatTogether,
  join,
  tickFactor,
} from "../../../../src/core/formats/readable.ts";
import { parseUnit, perSecond, unitText } from "../../../../src/core/formats/units/unit.ts";

test.each([
  // UCUM, as OpenTelemetry sends it
  ["By", "B"],
  ["By/s", "B/s"],
  ["MiBy", "MiB"],
  ["KiBy", "KiB"],
  ["kBy", "kB"],
  ["bit", "bit"],
  ["ms", "ms"],
  ["us", "µs"],
  ["s", "s"],
  ["min", "min"],
  ["h", "h"],
  ["d", "d"],
  ["%", "%"],
  ["Cel", "°C"],
  ["[degF]", "°F"],
  ["V", "V"],
  ["W", "W"],
  ["Hz", "Hz"],
  ["m", "m"],
  ["{request}", "{request}"],
  ["{request}/s", "{request}/s"],
  ["By{transmitted}", "B"],
  ["1/s", "1/s"],
  // Prometheus
  ["bytes", "B"],
  ["seconds", "s"],
  ["ratio", "ratio"],
  ["celsius", "°C"],
  ["percent", "%"],
  ["volts", "V"],
  ["amperes", "A"],
  ["joules", "J"],
  ["hertz", "Hz"],
  ["grams", "g"],
  // people
  ["GB", "GB"],
  ["KB", "kB"],
  ["GiB", "GiB"],
  ["MB/s", "MB/s"],
  ["MB / sec", "MB/s"],
  ["bytes per second", "B/s"],
  ["Mbps", "Mbit/s"],
  ["kilobytes", "kB"],
  ["Milliseconds", "ms"],
  ["°C", "°C"],
  ["req/s", "req/s"],
  ["req/min", "req/min"],
  ["orders/day", "orders/d"],
  ["€", "€"],
  ["rpm", "rpm"],
  ["kWh", "kWh"],
  ["mV", "mV"],
  ["mm", "mm"],
  ["µg/m³", "µg/m³"],
  ["fraction", "ratio"],
])("%s is %s", (text, expected) => {
  expect(unitText(text)).toBe(expected);
  expect(unitText(expected)).toBe(expected);
});

test.each(["", "1", " 1 ", "none", "{}", "Count"])("%p is no unit", (text) => {
  expect(parseUnit(text)).toBeUndefined();
});

test.each([
  [3.2e9, "By", "3.2 GB"],
  [999_700, "B", "1 MB"],
  [512, "B", "512 B"],
  [0.5, "B", "0.5 B"],
  [3.2, "GB", "3.2 GB"],
  [3200, "MB", "3.2 GB"],
  [3200, "MiB", "3.13 GiB"],
  [12_000_000, "B/s", "12 MB/s"],
  [85, "%", "85 %"],
  [1200, "%", "1,200 %"],
  [0.004, "ratio", "0.4 %"],
  [0.85, "ratio", "85 %"],
  [0.012, "s", "12 ms"],
  [12, "ms", "12 ms"],
  [3900, "s", "1.08 h"],
  [90, "s", "1.5 min"],
  [0, "s", "0 s"],
  [0, "ms", "0 s"],
  [-21.5, "celsius", "-21.5 °C"],
  [0.0123, "V", "12.3 mV"],
  [230, "V", "230 V"],
  [1.2, "{request}", "1.2 requests"],
  [1, "{request}", "1 request"],
  [3200, "{query}/s", "3.2 k queries/s"],
  [1, "{process}/s", "1 process/s"],
  [3200, "1/s", "3.2 k/s"],
  [12, "1/s", "12/s"],
  [12.5, "€", "12.5 €"],
  [1_230_000, "€", "1.23 M €"],
  [1013, "hPa", "1,010 hPa"],
  [0.0004, "{error}/s", "0.0004 errors/s"],
  [5, "1", "5"],
  [Number.NaN, "B", "-"],
])("%p in %s is %s", (value, unit, text) => {
  expect(formatSi(value, { unit })).toBe(text);
});

test.each([
  [[1_014_000, 1_000_000], "B", "1.014 MB, 1 MB"],
  [[0.004, 0.85], "ratio", "0.4 %, 85 %"],
  [[0, 3.2e9], "B", "0 B, 3.2 GB"],
  [[0.9, 1.2], "s", "900 ms, 1,200 ms"],
  [[50, 90], "s", "50 s, 90 s"],
  [[950, 1057], "{order}/min", "950 orders/min, 1,060 orders/min"],
  [[99.97, 99.99, 100], "%", "99.97 %, 99.99 %, 100 %"],
  [[368, 0.000_387], "%", "368 %, 0.000387 %"],
])("%p in one sentence in %s: %s", (values, unit, text) => {
  expect(formatTogether(values, { unit }).join(", ")).toBe(text);
});

test.each([
  [2.5e9, "B", "de", "2,5 GB"],
  [2000, "%", "de", "2.000 %"],
  [1234, undefined, "de", "1,23 k"],
  [2.5e9, "B", "en", "2.5 GB"],
])("%p in %p and %s: %s", (value, unit, language, text) => {
  expect(formatSi(value, { unit, language })).toBe(text);
});

test.each([
  [[0, 250_000, 500_000, 1_000_000], "B", "0 MB, 0.25 MB, 0.5 MB, 1 MB"],
  [[0, 60, 120], "s", "0 min, 1 min, 2 min"],
  [[0, 0.05, 0.1], "ratio", "0 %, 5 %, 10 %"],
  [[0, 50_000, 1_000_000], undefined, "0 M, 0.05 M, 1 M"],
  [[0, 0], "B", "0 B, 0 B"],
])("ticks %p in %p: %s", (ticks, unit, text) => {
  const { labels, symbol } = formatTicks(ticks, { unit });
  expect(labels.map((label) => join(label, { symbol })).join(", ")).toBe(text);
});

test("ticks of minutes, percents and binary bytes are at round numbers of what is shown", () => {
  expect(tickFactor(600, "s")).toBe(60);
  expect(tickFactor(0.8, "ratio")).toBe(0.01);
  expect(tickFactor(3 * 1024, "MiB")).toBe(1024);
  expect(tickFactor(0, "B")).toBe(1);
  expect(tickFactor(5, undefined)).toBe(1);
});

test.each([
  ["B", "B/s"],
  ["MiB", "MiB/s"],
  ["{request}", "{request}/s"],
  ["%", "%/s"],
  ["J", "W"],
  ["kJ", "kW"],
  ["s", undefined],
  ["ms", undefined],
  ["B/s", undefined],
  ["1", undefined],
])("the change per second of %s is in %p", (unit, expected) => {
  expect(perSecond(unit)).toBe(expected as string);
});

const units = ["B", "MB/s", "MiB", "s", "ms", "ratio", "%", "V", "{request}", "€", "req/min", "kWh", "hPa"];

test("a number that is read back is within half of its last digit", () => {
  const value = fc.double({ min: 1e-3, max: 1e9, noNaN: true });
  fc.assert(
    fc.property(value, fc.constantFrom(...units), fc.boolean(), (size, unit, isNegative) => {
      const number = isNegative ? -size : size;
      const text = formatSi(number, { unit });
      const { factor, steps } = parseUnit(unit)!;
      const [, digits = "", symbol] = /^(-?[\d.,]+(?:e[+-]?\d+)?) ?(.*)$/.exec(text)!;
      const step = steps.find((one) => one.symbol === symbol || one.one === symbol)!;
      const read = (Number(digits.replaceAll(",", "")) * step.factor) / factor;
      expect(Math.abs(read - number)).toBeLessThanOrEqual(Math.abs(number) * 0.005_001);
    }),
  );
});

test("a unit is the same after it is written and read again", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 32 }), (text) => {
      const unit = parseUnit(text);
      if (unit) expect(unitText(unit.text)).toBe(unit.text);
    }),
    { examples: [["! {}"], ["1{}"], ["kB {x} {y}"]] },
  );
});
