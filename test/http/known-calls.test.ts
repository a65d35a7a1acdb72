// Requests that lack what their route requires.
import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { needed, optional } from "../../src/core/input/optional.ts";
import { documented } from "../../src/http/framework/elysia.ts";
import { parameters, query } from "../../src/http/framework/params.ts";
import { type Call, requireCall } from "../../src/http/known-calls.ts";

const kind = (type: string, more: object = {}) =>
  Type.Object({ type: Type.Literal(type), name: Type.String(), ...more });
const routes = [
  { method: "POST", path: "/m/:name/_train", hooks: parameters("T", { from: needed(optional.text("")) }) },
  { method: "GET", path: "/m/:name", hooks: {} },
  { method: "GET", path: "/m/_lanes", hooks: { query: query({ from: needed(optional.text("")) }) } },
  { method: "GET", path: "/q", hooks: { query: query({ q: Type.String() }) } },
  { method: "PATCH", path: "/m/:name", hooks: { body: documented(Type.Object({})) } },
  {
    method: "POST",
    path: "/b",
    hooks: { body: documented(Type.Union([kind("a"), kind("b", { addr: Type.String() })])) },
  },
  { method: "POST", path: "/points", hooks: { body: documented(Type.Array(Type.Number())) } },
  { method: "POST", path: "/lines", hooks: { body: documented(needed(Type.String())) } },
  { method: "POST", path: "/form", hooks: { body: documented(Type.String()) } },
  {
    method: "POST",
    path: "/list",
    hooks: { body: documented(Type.Union([kind("a"), Type.Array(kind("a"))])) },
  },
  {
    method: "PATCH",
    path: "/c",
    hooks: { body: documented(Type.Object({ limit: optional.number("") }, { additionalProperties: false })) },
  },
];

const failing = "each run would fail without it";
const refused: readonly [Call, string][] = [
  [{ method: "post", path: "/m/a/_train" }, `params.from: is required by POST /m/a/_train: ${failing}`],
  [{ method: "post", path: "/m/a/_train/", params: { from: "" } }, "params.from: is required"],
  [{ method: "get", path: "/m/_lanes" }, "params.from: is required"],
  [{ method: "head", path: "/q", params: { Q: 1 } }, "params.q: is required"],
  [{ method: "patch", path: "/m/a" }, "json: is required: PATCH /m/a takes a body"],
  [{ method: "post", path: "/b" }, "json: is required: POST /b takes a body"],
  [{ method: "post", path: "/b", json: { type: "a" } }, "json.name: is required by POST /b"],
  [{ method: "post", path: "/b", json: { type: "b", name: "n" } }, "json.addr: is required by POST /b"],
  [{ method: "post", path: "/points", json: {} }, "relative_url: POST /points takes a list as body"],
  [{ method: "post", path: "/lines" }, "relative_url: POST /lines takes a text as body"],
  [{ method: "post", path: "/list" }, "json: is required: POST /list takes a body"],
  [
    { method: "patch", path: "/c", json: { limti: 1 } },
    "json.limti: is unknown to PATCH /c; did you mean limit?",
  ],
];

test.each(refused)("%j is refused: %s", (call, message) => {
  expect(() => requireCall(routes, call)).toThrow(message);
});

const accepted: readonly Call[] = [
  { method: "post", path: "/m/a/_train", params: { from: "now-1d" } },
  { method: "post", path: "/m/a/_train", json: { from: 0 } },
  { method: "get", path: "/m/a" },
  { method: "get", path: "/q", params: { q: "up" } },
  { method: "patch", path: "/m/a", json: {} },
  { method: "post", path: "/b", json: { type: "a", name: "n" } },
  { method: "post", path: "/b", json: { type: "b", name: "n", addr: "" } },
  { method: "post", path: "/unknown" },
  { method: "post", path: "/form" },
  { method: "post", path: "/list", json: { text: "of another system" } },
  { method: "patch", path: "/c", json: { limit: 1 } },
];

test.each(accepted)("%j holds what is required", (call) => {
  expect(() => requireCall(routes, call)).not.toThrow();
});
