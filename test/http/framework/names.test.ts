// Names in paths: lists, one page of named entries, and the raw names of scheduled jobs.
import { expect, test } from "bun:test";
import { readJobNames, readName, readNames, readShownNames } from "../../../src/http/framework/names.ts";

test("names keep their order and duplicates", () => {
  expect(readNames("a;b;a")).toEqual(["a", "b", "a"]);
  expect(() => readNames("a;;b")).toThrow("name");
});

test("a path of one name refuses a list", () => {
  expect(readName("a")).toBe("a");
  expect(() => readName("a;b")).toThrow("one name");
});

test("named entries are one page: old clients ask on until a page is empty", () => {
  expect(readShownNames("a;b", {})).toEqual(["a", "b"]);
  expect(readShownNames("a;b", { page: "0", per_page: "1" })).toEqual(["a", "b"]);
  expect(readShownNames("a;b", { page: "1", per_page: "1" })).toEqual([]);
  expect(() => readShownNames("a;b", { page: "x" })).toThrow("page");
});

test.each([
  ["every+night", ["every night"]],
  ["every%20night/", ["every night"]],
  ["a%2Bb", ["a+b"]],
  ["_eval(m)%3B%5Bn%5D", ["_eval(m)", "[n]"]],
  ["n%C3%A4chtlich?x=/y", ["nächtlich"]],
  ["a%25b", ["a%b"]],
])("%s names the scheduled jobs %j", (path, names) => {
  expect(readJobNames(`http://localhost/scheduled_jobs/${path}`)).toEqual(names);
});

test.each(["a;", "a%09b"])("%s names no scheduled job", (path) => {
  expect(() => readJobNames(`http://localhost/scheduled_jobs/${path}`)).toThrow("printable");
});
