// Attribution in words.
import { expect, test } from "bun:test";
import { nameOfChange } from "../../../src/core/changes/name.ts";
import { tellChange } from "../../../src/core/changes/sentence.ts";
import { HOUR_MS, MINUTE_MS } from "../../../src/core/time/time.ts";

test.each<[delayMs: number, history: { followed: number; of: number }, text: string]>([
  [
    4 * MINUTE_MS,
    { followed: 3, of: 5 },
    "4 min after deploy web 1.9.2; an anomaly followed 3 of the last 5 like it",
  ],
  [
    HOUR_MS,
    { followed: 0, of: 2 },
    "1 h after deploy web 1.9.2; an anomaly followed none of the last 2 like it",
  ],
  [59_000, { followed: 1, of: 1 }, "just after deploy web 1.9.2"],
])("%d ms, %j: %s", (delayMs, history, text) => {
  expect(tellChange({ kind: "deploy", title: "web 1.9.2", delayMs, history })).toBe(text);
});

test.each([
  ["deploy", "web 1.9.2", "deploy web 1.9.2"],
  ["deploy", "Deploy web 1.9.2", "Deploy web 1.9.2"],
  ["flag", "flagship on", "flag flagship on"],
])("%s %s is called %s", (kind, title, name) => {
  expect(nameOfChange({ kind, title })).toBe(name);
});
