// Row cache: one view per row, whose JSON is written once.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { RowCache, writeJson } from "../../src/runtime/row-cache.ts";

const createCache = () => new RowCache({ model: ["models"] });
const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

describe("views", () => {
  test("are made once for a row, and cannot be changed", () => {
    const cache = createCache();
    let made = 0;
    const make = ({ n }: { n: number }) => {
      made++;
      return { n };
    };
    const row = cache.put("model", "m", { n: 1 });
    const view = cache.view(row, make);
    expect(cache.view(row, make)).toBe(view);
    expect(made).toBe(1);
    expect(() => Object.assign(view, { n: 2 })).toThrow(TypeError);
    expect(cache.view({ n: 1 }, make)).not.toBe(view);
  });

  test("are made again once a write has changed a table of their row", () => {
    const cache = createCache();
    const put = () => cache.put("model", "m", { n: 1 });
    const view = cache.view(put(), ({ n }) => ({ n }));
    cache.invalidate([]);
    expect(cache.view(cache.get("model", "m") as { n: number }, ({ n }) => ({ n }))).toBe(view);
    cache.invalidate(["models"]);
    expect(cache.get("model", "m")).toBeUndefined();
    expect(cache.view(put(), ({ n }) => ({ n }))).not.toBe(view);
  });
});

describe("writeJson", () => {
  test("writes what JSON.stringify writes, whichever entries of a list are cached, repeatedly", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.jsonValue(), fc.boolean())), (entries) => {
        const cache = createCache();
        const list = entries.map(([value, isKept]) => {
          const mayBeKept = isKept && isObject(value) && !Array.isArray(value);
          return mayBeKept ? cache.view({}, () => value) : value;
        });
        for (let asked = 0; asked < 2; asked++) expect(writeJson(list)).toBe(JSON.stringify(list));
        for (const entry of list) expect(writeJson(entry)).toBe(JSON.stringify(entry));
      }),
    );
  });

  test("writes a cached view once", () => {
    let written = 0;
    const counted = {
      toJSON: () => {
        written++;
        return { n: 1 };
      },
    };
    const view = createCache().view({}, () => counted);
    for (let asked = 0; asked < 3; asked++) expect(writeJson([view, undefined])).toBe('[{"n":1},null]');
    expect(written).toBe(1);
  });
});
