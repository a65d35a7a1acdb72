// Keys of series of remote write 2.0: distinct for distinct labels, and never made of texts that are too long to keep.
import { expect, test } from "bun:test";
import { MAX_KEY } from "../../../../src/core/recent-cache.ts";
import { keyOf } from "../../../../src/resources/receivers/remote-write/series-name.ts";

test("labels whose texts join to the same have keys of their own", () => {
  const symbols = ["", "a", "b", "ab", "1:a"];
  const keys = [[1, 2], [3], [3, 0], [0, 3], [4], [1, 1]].map((references) => keyOf(references, symbols));
  expect(new Set(keys).size).toBe(keys.length);
});

test("a symbol that is not there, and texts beyond the longest key, have none", () => {
  expect(keyOf([7], ["a"])).toBeUndefined();
  expect(keyOf([0], ["x".repeat(MAX_KEY + 1)])).toBeUndefined();
});

test("texts behind the longest key are not looked at: a message may refer to long ones millions of times", () => {
  let looks = 0;
  const symbols = new Proxy(["x".repeat(100)], {
    get(target, place) {
      looks++;
      return Reflect.get(target, place);
    },
  });
  expect(keyOf(new Array(258).fill(0), symbols)).toBeUndefined();
  expect(looks).toBeLessThan(10);
});
