// Statement deadlines of a transaction: an abandoned transaction sends no further statement.
import { expect, test } from "bun:test";
import { watchProgress } from "../../../src/buckets/postgres/deadline.ts";
import { idle } from "../support.ts";

test("an abandoned transaction sends no further statement", async () => {
  const watch = watchProgress(idle(), 60_000);
  const sent: string[] = [];
  const session = watch.follow({
    run: async (statement) => {
      sent.push(statement);
      return [];
    },
    describe: async (from) => {
      sent.push(from);
      return [];
    },
    cancel() {},
  });
  await session.run("first");
  watch.stop();
  expect(() => session.run("second")).toThrow("the transaction was abandoned");
  expect(() => session.describe("third")).toThrow("the transaction was abandoned");
  expect(sent).toEqual(["first"]);
});
