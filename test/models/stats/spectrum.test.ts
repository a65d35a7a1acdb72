// Fourier transform, power and autocorrelation against their definitions.
import { expect, test } from "bun:test";
import { analyse, transform } from "../../../src/models/stats/spectrum.ts";
import { createRandom } from "../../../wasm/random.ts";

const random = createRandom(3);
const noise = (length: number) => Float64Array.from({ length }, () => random.normal());

test("the transform is the sum that defines it", () => {
  const values = noise(16);
  const [re, im] = [values.slice(), new Float64Array(16)];
  transform(re, im);
  for (let k = 0; k < 16; k++) {
    let [cos, sin] = [0, 0];
    for (const [i, value] of values.entries()) {
      cos += value * Math.cos((2 * Math.PI * i * k) / 16);
      sin -= value * Math.sin((2 * Math.PI * i * k) / 16);
    }
    expect(re[k]).toBeCloseTo(cos, 10);
    expect(im[k]).toBeCloseTo(sin, 10);
  }
});

test("correlations count the pairs that are there", () => {
  const column = noise(50);
  column[7] = Number.NaN;
  column[30] = Number.NaN;
  const { correlation } = analyse(column);
  const mean = (lag: number) => {
    let [sum, count] = [0, 0];
    for (let i = 0; i + lag < 50; i++) {
      const product = column[i]! * column[i + lag]!;
      if (Number.isNaN(product)) continue;
      sum += product;
      count++;
    }
    return sum / count;
  };
  for (const lag of [0, 1, 2, 23, 40]) expect(correlation[lag]).toBeCloseTo(mean(lag) / mean(0), 10);
});

test("the power of a sine is at its frequency", () => {
  const column = Float64Array.from({ length: 512 }, (_, i) => Math.sin((2 * Math.PI * i) / 32));
  const { power, length } = analyse(column);
  expect(power.indexOf(Math.max(...power)) / length).toBeCloseTo(1 / 32, 3);
});
