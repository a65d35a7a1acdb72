// Settings of hooks: default permissions, and the mail server file.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the file has such variables
import { describe, expect, test } from "bun:test";
import { readSettings } from "../../src/settings/load.ts";
import { errorOf } from "../core/expect.ts";

interface Given {
  readonly argv?: string[];
  readonly env?: Record<string, string>;
  readonly files?: Record<string, string>;
  readonly exposed?: boolean;
}

function read({ argv = [], env = {}, files = {}, exposed = false }: Given) {
  const readFile = (path: string) => {
    const text = files[path];
    if (text === undefined) throw Object.assign(new Error("no such file"), { code: "ENOENT" });
    return text;
  };
  const sources = { env: { HOME: "/ada", ...env }, readFile, isExposed: () => exposed };
  return readSettings({ argv, ...sources }).settings.hooks;
}

const config = ["--config", "/etc/torus/torus.yml"];
const beside = "/etc/torus/plugins.d/mail.yml";
const main = { "/etc/torus/torus.yml": "" };

test("by default nothing is run, no private address reached and no mail sent", () => {
  expect(read({})).toEqual({ allowPrivate: false, programs: [] });
  expect(read({ argv: config, files: main })).toEqual({ allowPrivate: false, programs: [] });
});

test("what the settings allow", () => {
  const text = "hooks: {webhook: {private_addresses: true}, exec: {allow: [/usr/local/bin/page]}}";
  expect(read({ argv: config, files: { "/etc/torus/torus.yml": text } })).toEqual({
    allowPrivate: true,
    programs: ["/usr/local/bin/page"],
  });
  expect(read({ env: { TORUS_HOOKS_WEBHOOK_PRIVATE_ADDRESSES: "yes" } }).allowPrivate).toBe(true);
  const relative = { "/etc/torus/torus.yml": "hooks: {exec: {allow: [page]}}" };
  const error = errorOf(() => read({ argv: config, files: relative }));
  expect(error.details.path).toStartWith("hooks.exec.allow");
});

describe("the mail file", () => {
  const smtp = "smtp: {host: mail.example.org, port: 587, user: ada, password: hunter2, tls: true}";
  const parsed = { host: "mail.example.org", port: 587, user: "ada", password: "hunter2", tls: true };

  test("lies beside the settings file, or where it is said to lie", () => {
    expect(read({ argv: config, files: { ...main, [beside]: smtp } }).smtp).toEqual(parsed);
    const files = { "/run/mail.yml": smtp };
    expect(read({ argv: ["--mail-config", "/run/mail.yml"], files }).smtp).toEqual(parsed);
    expect(read({ env: { TORUS_HOOKS_MAIL_CONFIG: "/run/mail.yml" }, files }).smtp).toEqual(parsed);
  });

  test("takes variables, numbers as passwords, and leaves out empty values", () => {
    const text = "smtp:\n  host: h\n  port: ${PORT}\n  user:\n  password: 12345\n  tls: ${TLS}\n";
    const files = { ...main, [beside]: text };
    expect(read({ argv: config, files, env: { PORT: "25", TLS: "false" } }).smtp).toEqual({
      host: "h",
      port: 25,
      password: "12345",
      tls: false,
    });
  });

  test.each([
    ["", "smtp: is required"],
    ["smtp: {port: 25}", "smtp.host: is required"],
    ["smtp: {host: h, prot: 25}", "did you mean port?"],
    ["smtp: {host: h, port: 99999}", "smtp.port: must be a port"],
    ["smtp: {host: 'a b'}", "smtp.host: must be a host name"],
    ["smtp: hunter2", "smtp"],
    ["{smtp: {host: h}, mail: 1}", "mail is unknown"],
    ["smtp: [", "is not valid YAML"],
  ])("%j is refused: %s", (text, reason) => {
    const error = errorOf(() => read({ argv: config, files: { ...main, [beside]: text } }));
    expect(error.message).toStartWith(beside);
    expect(error.message).toContain(reason);
    expect(error.message).not.toContain("hunter2");
  });

  test("one that is named must be there", () => {
    const error = errorOf(() => read({ argv: ["--mail-config", "/run/mail.yml"] }));
    expect(error.message).toBe("/run/mail.yml: does not exist");
  });

  test("one that others can read is named, if there is a password in it", () => {
    const files = { ...main, [beside]: smtp };
    expect(read({ argv: config, files, exposed: true }).exposedFile).toBe(beside);
    expect(read({ argv: config, files }).exposedFile).toBeUndefined();
    const open = { ...main, [beside]: "smtp: {host: h}" };
    expect(read({ argv: config, files: open, exposed: true }).exposedFile).toBeUndefined();
  });
});
