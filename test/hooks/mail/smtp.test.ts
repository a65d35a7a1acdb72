// SMTP against a real listener: sent, retried or rejected; no password over a plain connection.
import { afterEach, describe, expect, test } from "bun:test";
import type { SmtpSettings } from "../../../src/hooks/mail/settings.ts";
import { createMailer, type Mail } from "../../../src/hooks/mail/smtp.ts";
import type { Outcome } from "../../../src/hooks/shared/outcome.ts";
import { makeCertificate } from "../../support/certificate.ts";
import { type SmtpBehaviour, type SmtpOptions, type SmtpServer, startSmtp } from "../../support/smtp.ts";

const certificate = makeCertificate();
let servers: SmtpServer[] = [];
afterEach(async () => {
  for (const server of servers) await server.stop();
  servers = [];
});

const message: Mail = {
  from: { name: "Tørus, the server", address: "torus@example.org" },
  to: [{ address: "a@example.org" }, { name: "Ops <x>", address: "ops@example.org" }],
  subject: "grüß dich",
  text: "héllo\n.\nend",
  messageId: "<2@example.org>",
  references: "<1@example.org>",
};
const idle = () => new AbortController().signal;
const password = "hunter2/+=secret";

async function start(options: SmtpOptions = {}, behaviour: SmtpBehaviour = "accept"): Promise<SmtpServer> {
  const server = await startSmtp(options);
  server.behaviour = behaviour;
  servers.push(server);
  return server;
}

function send(server: SmtpServer, settings: Partial<SmtpSettings> = {}, signal = idle()): Promise<Outcome> {
  return createMailer({ host: "localhost", port: server.port, ...settings })(message, signal);
}

const port465Taken = await startSmtp({ port: 465 }).then(
  (server) => server.stop().then(() => false),
  () => true,
);
if (port465Taken) console.warn("port 465 cannot be opened here; mail over implicit TLS is not tested");

test("a message arrives whole, at every recipient", async () => {
  const server = await start();
  expect(await send(server)).toBe("sent");
  const [mail] = server.mails;
  expect(mail!.from).toBe("torus@example.org");
  expect(mail!.to).toEqual(["a@example.org", "ops@example.org"]);
  expect(mail!.text.trimEnd()).toBe(message.text);
  expect(mail!.headers.get("message-id")).toBe("<2@example.org>");
  expect(mail!.headers.get("references")).toBe("<1@example.org>");
  expect(mail!.headers.get("in-reply-to")).toBe("<1@example.org>");
  expect(mail!.headers.get("auto-submitted")).toBe("auto-generated");
  expect(mail!.headers.get("subject")).toBe("=?UTF-8?Q?gr=C3=BC=C3=9F_dich?=");
});

test("a message as a page has the text beside it", async () => {
  const server = await start();
  const mailer = createMailer({ host: "localhost", port: server.port });
  expect(await mailer({ ...message, html: "<p>hello</p>" }, idle())).toBe("sent");
  const [mail] = server.mails;
  expect(mail!.headers.get("content-type")).toStartWith("multipart/alternative;");
  expect(mail!.raw).toMatch(/Content-Type: text\/plain;.*Content-Type: text\/html;.*<p>hello<\/p>/s);
});

describe("behaviours", () => {
  test.each([
    ["defer", "retry", "451 4.7.1 try again later"],
    ["defer-data", "retry", "452 4.3.1 no room"],
    ["greet-busy", "retry", "421 busy"],
    ["refuse", "reject", "550 5.1.1 nobody of that name"],
    ["refuse-data", "reject", "554 5.7.1 looks like spam"],
    ["drop", "retry", "closed or refused the connection"],
    ["drop-data", "retry", "closed or refused the connection"],
  ] as const)("%s: %s", async (behaviour, verdict, reason) => {
    const server = await start({}, behaviour);
    const code = behaviour.startsWith("drop") ? "unreachable" : "rejected";
    expect(await send(server)).toEqual({ [verdict]: expect.stringContaining(reason), code } as never);
    expect(server.mails).toEqual([]);
  });

  test.each(["hang", "hang-data"] as const)("%s: given up with the signal", async (behaviour) => {
    const server = await start({}, behaviour);
    const controller = new AbortController();
    const sending = send(server, {}, controller.signal);
    if (behaviour === "hang-data") await server.arrived(1);
    while (server.connections === 0) await Bun.sleep(1);
    controller.abort();
    expect(await sending).toEqual({ retry: expect.stringContaining("aborted"), code: "unreachable" });
  });

  test("down", async () => {
    const server = await start();
    await server.stop();
    expect(await send(server)).toHaveProperty("retry");
  });

  test.each([
    ["550 nobody", "reject"],
    ["450 later", "retry"],
  ])("one recipient of two is answered %s", async (refusal, verdict) => {
    const server = await start();
    server.refusals.set("ops@example.org", refusal);
    expect(await send(server)).toEqual({
      [verdict]: expect.stringContaining(`refused 1 of 2 recipients: answered ${refusal}`),
      code: "rejected",
    } as never);
    expect(server.mails.map(({ to }) => to)).toEqual([["a@example.org"]]);
  });
});

describe("TLS", () => {
  const ca = certificate.certFile;
  const login = { user: "ada", password };

  test("tls: true means STARTTLS on any port but 465", async () => {
    const server = await start({ certificate, password });
    expect(await send(server, { tls: true, ca, ...login })).toBe("sent");
    expect(server.mails[0]).toMatchObject({ encrypted: true, login: `ada:${password}` });
  });

  test("a login never goes over a plain connection, whatever tls says", async () => {
    for (const tls of [true, false]) {
      const server = await start({ password });
      expect(await send(server, { tls, ...login })).toEqual({
        retry: expect.stringContaining("does not take STARTTLS"),
        code: "unreachable",
      });
      expect(server.seen).toEqual([]);
    }
    const server = await start({ certificate, password });
    expect(await send(server, { ca, ...login })).toBe("sent");
    expect(server.mails[0]!.encrypted).toBe(true);
  });

  test("each cause of a connection that fails has a text of its own, with what to set", async () => {
    const other = makeCertificate("DNS:mail.example.org");
    const [plain, unknown, named] = [
      await start(),
      await start({ certificate }),
      await start({ certificate: other }),
    ];
    const gone = await start();
    await gone.stop();
    const outcomes = [
      await send(plain, { tls: true }),
      await send(plain, login),
      await send(unknown, { tls: true }),
      await send(named, { tls: true, ca: other.certFile }),
      await send(gone),
    ];
    const server = (port: number) => `mail server localhost:${port}: `;
    const noStartTls =
      "does not take STARTTLS, which `tls` and a login need; with TLS from the first byte its port is 465 (502 no TLS here)";
    expect(outcomes).toEqual([
      { retry: `${server(plain.port)}${noStartTls}`, code: "unreachable" },
      { retry: `${server(plain.port)}${noStartTls}`, code: "unreachable" },
      {
        retry: `${server(unknown.port)}has a certificate that does not verify; set \`ca\` to the file of its authority, or \`verify: false\` (self signed certificate)`,
        code: "unreachable",
      },
      {
        retry: expect.stringMatching(
          /has a certificate of another name; set `host` .* or `verify: false` \(.*mail\.example\.org\)$/,
        ),
        code: "unreachable",
      },
      {
        retry: `${server(gone.port)}refused the connection; check \`host\` and \`port\` of the mail settings`,
        code: "unreachable",
      },
    ]);
  });

  test.skipIf(port465Taken)("a plain server on port 465 is said not to speak TLS", async () => {
    const server = await startSmtp({ port: 465 });
    servers.push(server);
    expect(await send(server, { tls: true })).toEqual({
      retry: expect.stringContaining("does not speak TLS on this port"),
      code: "unreachable",
    });
  });

  test("without a login and tls nothing is encrypted", async () => {
    const server = await start({ certificate });
    expect(await send(server)).toBe("sent");
    expect(server.mails[0]!.encrypted).toBe(false);
  });

  test("an unknown certificate is refused, unless verify is off", async () => {
    const server = await start({ certificate });
    expect(await send(server, { tls: true })).toHaveProperty("retry");
    expect(server.seen).toEqual([]);
    expect(await send(server, { tls: true, verify: false })).toBe("sent");
    expect(await send(server, { tls: true, ca })).toBe("sent");
  });

  test("a malformed file of authorities is reported, and can be repaired", async () => {
    const server = await start({ certificate });
    expect(await send(server, { tls: true, ca: "/nowhere.pem" })).toEqual({
      retry: expect.stringContaining("PEM"),
      code: "not_set_up",
    });
  });

  test.skipIf(port465Taken)("from the first byte on port 465", async () => {
    const server = await startSmtp({ certificate, implicit: true, password, port: 465 });
    servers.push(server);
    expect(await send(server, { tls: true, ca, ...login })).toBe("sent");
    expect(server.mails[0]).toMatchObject({ encrypted: true, login: `ada:${password}` });
  });

  test("a wrong password is for ever, and in no message", async () => {
    const server = await start({ certificate, password: "another" });
    const outcome = await send(server, { ca, ...login });
    expect(outcome).toEqual({ reject: expect.stringContaining("answered 535"), code: "unauthorized" });
    expect(JSON.stringify(outcome)).not.toContain("hunter2");
    expect(JSON.stringify(outcome)).not.toContain("ada");
  });
});
