// Hook settings: refusals, redacted secrets, secrets kept by a replacement.
import { describe, expect, test } from "bun:test";
import {
  checkHook,
  type HookSettings,
  hookKinds,
  hookSchemas,
  keepSecrets,
  viewHook,
} from "../../src/hooks/index.ts";
import { errorOf } from "../core/expect.ts";

const ops = { name: "Ops", address: "ops@example.org" };
const mail = (config: object = {}, rest: object = {}) => ({
  type: "mail",
  name: "to.ops",
  config: { from: { address: "torus@example.org" }, to: ops, ...config },
  ...rest,
});
const annotations = (config: object = {}) => ({
  type: "annotations",
  name: "marks",
  config: { type: "anomaly", bucket: "b", ...config },
});
const texts = (anomaly_start: object, anomaly_end: object = {}) => ({
  templates: { anomaly_start, anomaly_end },
});

test("every kind is what its key says, with a schema that refuses what it does not know", () => {
  for (const [type, { kind, config }] of Object.entries(hookKinds)) {
    expect(kind).toBe(type as typeof kind);
    expect(config.additionalProperties).toBe(false);
    expect(hookSchemas.get(type)?.required).toEqual(["name", "type", "config"]);
  }
});

describe("accepts", () => {
  const cases: [string, unknown][] = [
    ["a mail without texts", mail()],
    ["several recipients", mail({ to: [ops, { address: "second@example.org" }] })],
    ["a name in any script", mail({ to: { name: "運用", address: "ops@example.org" } })],
    [
      "all placeholders",
      mail(texts({ subject: "{model} {score}", content: "{date} {predicted}\n{observed}\n{reason}" })),
    ],
    ["any placeholder in any text", mail(texts({ subject: "{reason}" }, { subject: "{observed}" }))],
    ["literal braces", mail(texts({ content: '{{"a": 1}}' }))],
    ["one text only", mail({ templates: { anomaly_end: { subject: "over" } } })],
    ["annotations", annotations()],
    ["annotations as dashboards send them", annotations({ id: null, text: "spike" })],
    ["a name that holds dots", { ...annotations(), name: "a.b@c_d-e" }],
  ];
  test.each(cases)("%s", (_name, body) => {
    expect(checkHook(body)).toEqual(body as HookSettings);
  });
});

describe("refuses", () => {
  const subject = "config.templates.anomaly_start.subject";
  const address = ["config.from.address", "mail address"] as const;
  const cases: [string, unknown, path: string, rule: string][] = [
    ["no object", [], "body", "type, name and config"],
    ["no type", { name: "h", config: {} }, "type", "is required"],
    ["a slip in the type", { ...mail(), type: "mial" }, "type", "did you mean mail?"],
    ["a type that is a prototype's", { ...mail(), type: "constructor" }, "type", "must be one of"],
    ["a type that is no text", { ...mail(), type: {} }, "type", "must be one of"],
    ["a type that cannot become a text", { ...mail(), type: { toString: 0 } }, "type", "must be one of"],
    ["no name", { ...mail(), name: undefined }, "name", "is required"],
    ["a name with a slash", { ...mail(), name: "a/b" }, "name", "letters"],
    ["a name that is a way up", { ...mail(), name: ".." }, "name", "letters"],
    ["a prototype as a name", { ...mail(), name: "__proto__" }, "name", "letters"],
    ["no configuration", { ...mail(), config: undefined }, "config", "is required"],
    ["an unknown key", mail({}, { confg: 1 }), "confg", "did you mean config?"],
    ["an unknown key of the configuration", mail({ too: ops }), "config.too", "did you mean to?"],
    ["no sender", mail({ from: undefined }), "config.from", "is required"],
    ["an address that is none", mail({ from: { address: "nobody" } }), ...address],
    ["two addresses in one", mail({ from: { address: "a@b.c,d@e.f" } }), ...address],
    ["an address in brackets", mail({ from: { address: "<a@b.c>" } }), ...address],
    ["a header in an address", mail({ from: { address: "a@b.c\r\nBcc: x@y.z" } }), ...address],
    ["NUL in an address", mail({ from: { address: "a\u0000@b.c" } }), ...address],
    [
      "a header in a name",
      mail({ from: { ...ops, name: "x\r\nBcc: x@y.z" } }),
      "config.from.name",
      "line breaks",
    ],
    ["a line feed in a name", mail({ from: { ...ops, name: "x\ny" } }), "config.from.name", "line breaks"],
    ["NUL in a name", mail({ from: { ...ops, name: "x\u0000" } }), "config.from.name", "control"],
    ["a header in a recipient", mail({ to: { ...ops, name: "x\ry" } }), "config.to.name", "line breaks"],
    ["no recipient", mail({ to: [] }), "config.to", "at least 1 entry"],
    [
      "a recipient without an address",
      mail({ to: [ops, { address: "ops" }] }),
      "config.to.1.address",
      "a mail address",
    ],
    ["a header in a subject", mail(texts({ subject: "x\r\nBcc: a" })), subject, "line breaks"],
    ["a slip in a placeholder", mail(texts({ subject: "{modle}" })), subject, "did you mean {model}?"],
    [
      "a stray brace",
      mail(texts({}, { content: "a } b" })),
      "config.templates.anomaly_end.content",
      "stray }",
    ],
    [
      "an attribute of a placeholder",
      mail(texts({ content: "{model.__class__}" })),
      "config.templates.anomaly_start.content",
      "is no placeholder",
    ],
    [
      "an unknown event",
      mail({ templates: { anomaly_begin: {} } }),
      "config.templates.anomaly_begin",
      "is unknown",
    ],
    ["a text that is none", mail(texts({ subject: 5 })), subject, "line breaks"],
    ["annotations without a bucket", annotations({ bucket: undefined }), "config.bucket", "is required"],
    ["annotations into no name", annotations({ bucket: "a b" }), "config.bucket", "letters"],
    ["annotations without a type", annotations({ type: undefined }), "config.type", "is required"],
    ["a slip in annotations", annotations({ txt: "x" }), "config.txt", "did you mean text?"],
  ];
  test.each(cases)("%s", (_name, body, path, rule) => {
    const error = errorOf(() => checkHook(JSON.parse(JSON.stringify(body))));
    expect([error.code, error.details.path ?? ""]).toEqual(["invalid", path]);
    expect(error.message).toContain(rule);
  });

  test("without the value, which may be a secret", () => {
    const error = errorOf(() => checkHook(mail({ from: { address: "hunter2", name: 5 } })));
    expect(error.message).not.toContain("hunter2");
  });
});

describe("secrets", () => {
  const secret = { type: "mail", name: "h" } as const;
  const old: HookSettings = {
    ...secret,
    config: {
      url: "https://ada:hunter2@example.org/x",
      password: "hunter2",
      nested: { token: "hunter2", a: 1 },
    },
  };

  test("are not shown, at any depth and in addresses", () => {
    expect(JSON.stringify(viewHook(old))).not.toContain("hunter2");
    expect(viewHook(old).config).toEqual({ url: "https://example.org/x", nested: { a: 1 } });
  });

  test("stay where a client sends back what it was shown", () => {
    const next = { ...secret, config: { ...viewHook(old).config, more: 1 } };
    expect(keepSecrets(old, next).config).toEqual({ ...old.config, more: 1 });
  });

  test("go where a client sends others, and with another type", () => {
    const next = { ...secret, config: { url: "https://bob:new@example.org/x" } };
    expect(keepSecrets(old, next).config).toEqual({ ...next.config, password: "hunter2" });
    const third = { ...secret, config: { ...next.config, password: "new" } };
    expect(keepSecrets(old, third)).toEqual(third);
    expect(keepSecrets(undefined, next)).toBe(next);
    const other: HookSettings = { type: "annotations", name: "h", config: { url: "https://example.org/x" } };
    expect(keepSecrets(old, other)).toBe(other);
  });

  test("no text of a hook that holds none is lost on the way out", () => {
    const hook = checkHook(
      mail(texts({ subject: "{model}: {score}", content: "see ops@example.org\n{reason}" }), {
        events: ["anomaly"],
      }),
    );
    expect(viewHook(hook)).toEqual(hook);
  });
});
