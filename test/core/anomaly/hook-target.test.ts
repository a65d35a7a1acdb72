// Target of a hook in one text.
import { expect, test } from "bun:test";
import { hookTarget } from "../../../src/core/anomaly/hook-target.ts";

test.each([
  [{ url: "https://a/b", topic: "t" }, "https://a/b"],
  [{ topic: "t" }, "t"],
  [{ to: ["a@b", { address: "c@d" }] }, "a@b, c@d"],
  [{ secret: "s" }, ""],
])("of %j it is %p", (config, target) => expect(hookTarget(config)).toBe(target));
