// Schema validation: path, rule, closest key, and never the submitted value.
import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { check, checkOutline, nullable } from "../../../src/core/input/schema.ts";
import { durationSchema } from "../../../src/core/time/duration-schema.ts";
import { errorOf } from "../expect.ts";

const Mailbox = Type.Object(
  { address: Type.String({ pattern: "@", rule: "must be a mail address" }) },
  { additionalProperties: false },
);

const Mail = Type.Object(
  {
    host: Type.String({ minLength: 1 }),
    port: Type.Optional(Type.Integer({ minimum: 1, rule: "must be a port number" })),
    mode: Type.Optional(Type.Union([Type.Literal("plain"), Type.Literal("tls")])),
    every: Type.Optional(durationSchema({ description: "how often" })),
    max_threshold: Type.Optional(Type.Number()),
    list: Type.Optional(Type.Array(Type.Object({ n: Type.Number() }, { additionalProperties: false }))),
    code: Type.Optional(Type.String({ pattern: "^[a-z]+$" })),
    tags: Type.Optional(nullable(Type.Array(Type.Object({ tag: Type.String({ maxLength: 3 }) })))),
    few: Type.Optional(Type.Array(Type.Boolean(), { minItems: 1, maxItems: 2 })),
    share: Type.Optional(Type.Number({ minimum: 1, maximum: 9 })),
  },
  { additionalProperties: false, title: "mail" },
);

const rows: [unknown, string | undefined, RegExp][] = [
  [{}, "host", /is required/],
  [{ host: "h", port: 0 }, "port", /must be a port number/],
  [{ host: "h", mode: "ssl" }, "mode", /must be one of plain, tls/],
  [{ host: "h", every: "5x" }, "every", /must be a duration/],
  [{ host: "h", every: -1 }, "every", /must be a duration/],
  [{ host: "h", max_treshold: 1 }, "max_treshold", /max_treshold is unknown; did you mean max_threshold\?/],
  [{ host: "h", zzzzzzzz: 1 }, "zzzzzzzz", /zzzzzzzz is unknown; known keys: host, port/],
  [{ Host: "h" }, "Host", /Host is unknown; did you mean host\?/],
  [{ host: "h", "a.b/c": 1 }, "a.b/c", /a\.b\/c is unknown/],
  [{ host: "h", list: [{ n: 1 }, { n: "x" }] }, "list.1.n", /must be number/],
  [{ host: "h", list: [{ n: 1, m: 2 }] }, "list.0.m", /m is unknown; known keys: n$/],
  [{ host: "h", code: "A1" }, "code", /must match/],
  [{ host: "h", every: 1e300 }, "every", /must be a duration/],
  [{ host: "" }, "host", /must not be empty/],
  [{ host: "h", tags: 5 }, "tags", /must be a list of objects {tag}$/],
  [{ host: "h", tags: [{ tag: "long" }] }, "tags.0.tag", /must have at most 3 characters/],
  [{ host: "h", few: [] }, "few", /must have at least 1 entry/],
  [{ host: "h", few: [true, true, true] }, "few", /must have at most 2 entries/],
  [{ host: "h", few: ["x"] }, "few.0", /must be true or false/],
  [{ host: "h", share: 0 }, "share", /must be at least 1/],
  [{ host: "h", share: 10 }, "share", /must be at most 9/],
  ["text", "mail", /must be an object {/],
  [undefined, "mail", /must be an object {/],
  [null, "mail", /must be an object {/],
];
const to = Type.Union([Mailbox, Type.Array(Mailbox, { minItems: 1 }), Type.String()], {
  rule: "must be mailboxes",
});
const Letter = Type.Object({ to });

describe("check", () => {
  test.each<[unknown, string, RegExp]>([
    [5, "to", /must be mailboxes/],
    [{ address: "ops" }, "to.address", /must be a mail address/],
    [{ adress: "ops@x" }, "to.adress", /did you mean address\?/],
    [[{ address: "a@b" }, { address: "ops" }], "to.1.address", /must be a mail address/],
    [[], "to", /must have at least 1 entry/],
  ])("of a union the member of the shape of %j says what is wrong, at %p", (value, path, message) => {
    const error = errorOf(() => check(Letter, { to: value }));
    expect([error.details.path, error.message]).toEqual([path, expect.stringMatching(message)]);
  });

  test.each(rows)("%j is refused at %p", (value, path, message) => {
    const error = errorOf(() => check(Mail, value));
    expect(error.code).toBe("invalid");
    expect(error.details.path).toBe(path);
    expect(error.message).toMatch(message);
  });

  test("every field that breaks a rule is listed once, unknown ones first: a missing one may be among them", () => {
    const error = errorOf(() => check(Mail, { port: 0, zzz: 1, list: [{ n: "x" }, {}], mode: 7 }, "smtp"));
    expect(error.message).toStartWith("smtp.zzz is unknown; known keys: host, ");
    expect(error.details).toEqual({
      path: "smtp.zzz",
      errors: [
        { path: "smtp.zzz", message: expect.stringContaining("is unknown; known keys: host") },
        { path: "smtp.host", message: "is required" },
        { path: "smtp.port", message: "must be a port number" },
        { path: "smtp.mode", message: "must be one of plain, tls" },
        { path: "smtp.list.0.n", message: "must be number" },
        { path: "smtp.list.1.n", message: "is required" },
      ],
    });
  });

  test("no more than ten are listed, and none holds what was sent", () => {
    const list = Array.from({ length: 50 }, () => ({ n: "hunter2" }));
    const { details } = errorOf(() => check(Mail, { host: "h", list }));
    expect(details.errors).toHaveLength(10);
    expect(JSON.stringify(details)).not.toContain("hunter2");
  });

  test("an outline lists the mistakes of the fixed parts", () => {
    const isOpen = (part: unknown) => part === "{{later}}";
    const { details } = errorOf(() => checkOutline(Mail, { host: 5, port: "{{later}}", few: [] }, isOpen));
    expect(details.errors?.map(({ path }) => path)).toEqual(["host", "few"]);
  });

  test("answers the value itself, and a prefix stands before the path", () => {
    const value = { host: "h", every: "5m" };
    expect(check(Mail, value)).toBe(value);
    expect(errorOf(() => check(Mail, {}, "smtp")).details.path).toBe("smtp.host");
  });

  test("the submitted value is not in the message", () => {
    const marker = "MARKER-7f3a";
    for (const body of [
      { host: 1, code: marker },
      { host: "h", mode: marker },
      { host: "h", code: marker },
    ]) {
      expect(errorOf(() => check(Mail, body)).message).not.toContain(marker);
    }
  });
});
