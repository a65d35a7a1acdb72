// Advice in the header of answers.
import { expect, test } from "bun:test";
import { withAdvice } from "../../../src/http/framework/advice.ts";
import { noContent } from "../../../src/http/framework/answer.ts";

test("sentences are one header, of characters that a header can hold", () => {
  const { status, headers } = withAdvice(noContent(), ["no tag größe", "no tag a\nb"]);
  expect(status).toBe(204);
  expect(headers).toEqual({ "x-torus-advice": "no tag gr\\u{f6}\\u{df}e; no tag a\\u{a}b" });
  expect(() => new Headers(headers)).not.toThrow();
  expect(withAdvice(noContent(), []).headers).toBeUndefined();
});
