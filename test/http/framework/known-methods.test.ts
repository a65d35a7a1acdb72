// Requests that no route matches: 404 for unknown paths, 405 with Allow for other methods.
import { expect, test } from "bun:test";
import { createMethodTable, requireRoute } from "../../../src/http/framework/known-methods.ts";

const explain = createMethodTable([
  { method: "GET", path: "/models" },
  { method: "POST", path: "/models" },
  { method: "GET", path: "/models/:names" },
  { method: "POST", path: "/models/_import" },
]);

test.each([
  ["/nowhere", "GET", "not_found", undefined],
  ["/models/a/b", "GET", "not_found", undefined],
  ["/models", "PUT", "method_not_allowed", "GET, HEAD, POST"],
  ["/models/", "PUT", "method_not_allowed", "GET, HEAD, POST"],
  ["/models/a", "DELETE", "method_not_allowed", "GET, HEAD"],
  ["/models/_import", "PUT", "method_not_allowed", "GET, HEAD, POST"],
])("%s by %s is %s, Allow: %s", (path, method, code, allow) => {
  const { code: explained, details } = explain(path, method);
  expect([explained, details.allow]).toEqual([code as typeof explained, allow]);
});

test.each([
  ["POST", "/modls/a/_trian", "the path does not exist; did you mean /models/a/_train?"],
  ["POST", "/models/a/_trains/", "the path does not exist; did you mean /models/a/_train?"],
  ["GET", "/models/a/nowhere", "the path does not exist"],
  ["get", "/models/a/_train", "GET is not supported by this path; supported: POST"],
])("the route of %s %s is required: %s", (method, path, message) => {
  const routes = [
    { method: "GET", path: "/models/:names" },
    { method: "POST", path: "/models/:names/_train" },
  ];
  expect(() => requireRoute(routes, method, path)).toThrow(message);
  expect(() => requireRoute(routes, "head", "/models/a")).not.toThrow();
});
