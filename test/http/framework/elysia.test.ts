// Workarounds of the framework: short hosts, and formats that it would redefine.
import { expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { durationSchema } from "../../../src/core/time/duration-schema.ts";
import { createFakeApp } from "../../support/fake-app.ts";

test("durations mean what core says, although the framework has a format of that name", () => {
  const schema = durationSchema({ description: "" });
  expect(Value.Check(schema, "5m")).toBe(true);
  expect(Value.Check(schema, "P1D")).toBe(false);
});

test("a short host name is not taken for a path", async () => {
  const app = createFakeApp();
  expect((await app.handle(new Request("http://ml/buckets/a;b"))).status).toBe(200);
  expect(app.calls).toEqual(['buckets.get[["a","b"],{}]']);
});
