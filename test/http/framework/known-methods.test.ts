// Requests that no route matches: 404 for unknown paths, 405 with Allow for other methods.
import { expect, test } from "bun:test";
import { createMethodTable } from "../../../src/http/framework/known-methods.ts";

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
