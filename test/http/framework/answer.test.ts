// Answers: long lists are streamed in pieces, with the event loop free in between.
import { expect, test } from "bun:test";
import { noContent, renderAnswer, withAdvice } from "../../../src/http/framework/answer.ts";

const series = (length: number) => ({
  timestamps: Array.from({ length }, (_, i) => 60 * i),
  observed: { load: Array.from({ length }, (_, i) => (i % 7 === 0 ? null : i / 3)) },
  stats: Array.from({ length }, (_, i) => ({ score: i % 100, anomaly: false })),
});

test("a short answer is one text, with its length", async () => {
  const value = series(10);
  const response = renderAnswer(value, true, {});
  expect(await response.text()).toBe(`${JSON.stringify(value, null, 2)}\n`);
});

test("a long one is the same JSON, in pieces", async () => {
  const value = series(60_000);
  const body = renderAnswer(value, false, {}).body as unknown as AsyncIterable<Uint8Array>;
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  expect(pieces.length).toBeGreaterThan(5);
  expect(Math.max(...pieces.map(({ byteLength }) => byteLength))).toBeLessThan(1024 * 1024);
  expect(Buffer.concat(pieces).toString()).toBe(JSON.stringify(value));
});

test("other work gets its turn between two pieces", async () => {
  const reader = renderAnswer(series(60_000), false, {}).body!.getReader();
  let turns = 0;
  const counting = setInterval(() => turns++, 0);
  for (let read = await reader.read(); !read.done; read = await reader.read()) await Bun.sleep(0);
  clearInterval(counting);
  expect(turns).toBeGreaterThan(3);
});

test("stops rendering when the client disconnects", async () => {
  const reader = renderAnswer(series(60_000), false, {}).body!.getReader();
  await reader.read();
  await reader.cancel();
  expect((await reader.read()).done).toBe(true);
});

test("sentences of advice are one header, of characters that a header can hold", () => {
  const { status, headers } = withAdvice(noContent(), ["no tag größe", "no tag a\nb"]);
  expect(status).toBe(204);
  expect(headers).toEqual({ "x-torus-advice": "no tag gr\\u{f6}\\u{df}e; no tag a\\u{a}b" });
  expect(() => new Headers(headers)).not.toThrow();
  expect(withAdvice(noContent(), []).headers).toBeUndefined();
});
