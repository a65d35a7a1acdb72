// Watch over the clock of a node: one announcement per skew, in both directions.
import { expect, test } from "bun:test";
import { SkewWatch } from "../../src/cluster/skew-watch.ts";

function observeAll(...skews: number[]): (string | undefined)[] {
  const watch = new SkewWatch();
  return skews.map((skewMs) => watch.observe(skewMs));
}

test("a skew of more than 2 s is announced once, ahead or behind", () => {
  expect(observeAll(1900, 2100, 2500)).toEqual([undefined, "skewed", undefined]);
  expect(observeAll(-2100, -90_000)).toEqual(["skewed", undefined]);
});

test("its end is announced below 1 s: a skew about the bound does not alternate", () => {
  expect(observeAll(2100, 1900, 2100, 900, 1900)).toEqual([
    "skewed",
    undefined,
    undefined,
    "synchronized",
    undefined,
  ]);
});
