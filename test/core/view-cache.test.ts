// View cache: reuse of views and of their JSON.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ViewCache, writeJson } from "../../src/core/view-cache.ts";

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

describe("views that are kept", () => {
  test("are made once for a row, and cannot be changed", () => {
    const views = new ViewCache<{ n: number }, { n: number }>();
    let made = 0;
    const make = ({ n }: { n: number }) => {
      made++;
      return { n };
    };
    const row = { n: 1 };
    const view = views.memoize(row, make);
    expect(views.memoize(row, make)).toBe(view);
    expect(views.get(row)).toBe(view);
    expect(made).toBe(1);
    expect(() => Object.assign(view, { n: 2 })).toThrow(TypeError);
    expect(views.memoize({ n: 1 }, make)).not.toBe(view);
    expect(views.get({ n: 1 })).toBeUndefined();
  });
});

describe("writeJson", () => {
  test("writes what JSON.stringify writes, whichever entries of a list are cached, repeatedly", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.jsonValue(), fc.boolean())), (entries) => {
        const views = new ViewCache<object, object>();
        const list = entries.map(([value, isKept]) => {
          const mayBeKept = isKept && isObject(value) && !Array.isArray(value);
          return mayBeKept ? views.keep({}, value) : value;
        });
        for (let asked = 0; asked < 2; asked++) expect(writeJson(list)).toBe(JSON.stringify(list));
        for (const entry of list) expect(writeJson(entry)).toBe(JSON.stringify(entry));
      }),
    );
  });

  test("writes a kept view once", () => {
    let written = 0;
    const counted = {
      toJSON: () => {
        written++;
        return { n: 1 };
      },
    };
    const view = new ViewCache<object, object>().keep({}, counted);
    for (let asked = 0; asked < 3; asked++) expect(writeJson([view, undefined])).toBe('[{"n":1},null]');
    expect(written).toBe(1);
  });
});
