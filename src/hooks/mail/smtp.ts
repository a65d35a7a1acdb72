// Mail over SMTP: one message per connection; the reply code decides between retry and rejection.
import type { DeliveryCode } from "../../core/anomaly/delivery-code.ts";
import { TorusError } from "../../core/errors.ts";
import { hideSecrets } from "../../net/hide.ts";
import { readTlsOptions } from "../../net/tls.ts";
import type { Outcome } from "../shared/outcome.ts";
import type { SmtpSettings } from "./settings.ts";

interface MailAddress {
  readonly name?: string;
  readonly address: string;
}

/** A message; addresses are checked, texts are not. */
export interface Mail {
  readonly from: MailAddress;
  readonly to: readonly MailAddress[];
  readonly subject: string;
  readonly text: string;
  /** The same as a page, which readers may show instead. */
  readonly html?: string;
  /** With angle brackets. */
  readonly messageId: string;
  /** Message-ID of the message that this one follows up. */
  readonly references?: string;
}

/** Sends one message. */
export type SendMail = (mail: Mail, signal: AbortSignal) => Promise<Outcome>;

/** ms; the defaults of the library are minutes. */
const timeouts = {
  socketCloseTimeout: 0,
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
};
/** Errors of the message itself, which a retry does not fix. */
const permanentCodes: ReadonlySet<unknown> = new Set(["EMESSAGE", "EENVELOPE"]);

/** @returns a sender for a mail server; it connects only to send */
export function createMailer(settings: SmtpSettings): SendMail {
  const { host, user, password } = settings;
  const port = portOf(settings);
  const secrets = [user ?? "", password ?? "", ...encodings(user, password)];
  const explain = (reason: string) => hideSecrets(`mail server ${host}:${port}: ${reason}`, secrets);

  return async (mail, signal) => {
    try {
      // Most servers send no mail: loaded with the first one.
      const { createTransport } = await import("nodemailer");
      const transport = createTransport(await readConnection(settings));
      try {
        const { rejectedErrors = [] } = await transport.sendMail(toMessage(mail, signal));
        return judgePartial(rejectedErrors, mail.to.length, explain);
      } finally {
        transport.close();
      }
    } catch (error) {
      // The `ca` file cannot be used; a retry may find it repaired.
      if (error instanceof TorusError) return { retry: explain(error.message), code: "not_set_up" };
      return judge(error as SmtpError, explain);
    }
  };
}

function portOf({ port, tls }: SmtpSettings): number {
  return port ?? (tls ? 465 : 25);
}

/** Connection options; reads the `ca` file for each message. @throws TorusError `invalid` where `ca` is no PEM file */
async function readConnection(settings: SmtpSettings) {
  const { host, user, password = "", tls = false } = settings;
  const port = portOf(settings);
  const secure = tls && port === 465;
  const { ca, rejectUnauthorized } = await readTlsOptions({
    verify_ssl: settings.verify ?? true,
    ...(settings.ca && { ca_certs: settings.ca }),
  });
  return {
    host,
    port,
    secure,
    // A password is never sent over a plain connection, whatever `tls` is.
    requireTLS: !secure && (tls || Boolean(user)),
    ignoreTLS: !tls && !user,
    ...(user && { auth: { user, pass: password } }),
    tls: { rejectUnauthorized, ...(ca && { ca }) },
    disableFileAccess: true,
    disableUrlAccess: true,
    ...timeouts,
  };
}

/** Encoded credentials that a server may repeat in its replies. */
function encodings(user = "", password = ""): string[] {
  const encode = (text: string) => Buffer.from(text, "utf8").toString("base64");
  return [encode(user), encode(password), encode(`\0${user}\0${password}`)].filter((text) => text.length > 4);
}

function toMessage({ from, to, subject, text, html, messageId, references }: Mail, signal: AbortSignal) {
  const toAddress = ({ name = "", address }: MailAddress) => ({ name, address });
  return {
    from: toAddress(from),
    to: to.map(toAddress),
    // Explicit, so that the library does not derive it from headers.
    envelope: { from: from.address, to: to.map(({ address }) => address) },
    subject: toHeaderText(subject),
    text,
    ...(html !== undefined && { html }),
    messageId,
    ...(references && { inReplyTo: references, references }),
    headers: { "Auto-Submitted": "auto-generated" },
    signal,
  };
}

/** One line: control characters become spaces, so that a text cannot start another header. */
function toHeaderText(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .slice(0, 900)
    .trim();
}

interface SmtpError {
  readonly code?: unknown;
  readonly message?: string;
  readonly responseCode?: unknown;
  readonly response?: unknown;
}

type Explain = (reason: string) => string;

function judge(error: SmtpError, explain: Explain): Outcome {
  const reason = explain(describe(error));
  const code = codeOf(error);
  return isPermanent(error) ? { reject: reason, code } : { retry: reason, code };
}

function codeOf({ code, responseCode }: SmtpError): DeliveryCode {
  if (code === "EAUTH") return "unauthorized";
  if (code === "ETLS") return "unreachable";
  if (typeof responseCode === "number") return "rejected";
  return code === "ETIMEDOUT" ? "deadline" : "unreachable";
}

/**
 * Outcome where some recipients were refused. Temporary refusals are retried for all; recipients that have the message
 * see its Message-ID again.
 */
function judgePartial(errors: readonly SmtpError[], recipients: number, explain: Explain): Outcome {
  const [first] = errors;
  if (!first) return "sent";
  const deferred = errors.find((error) => !isPermanent(error));
  const reason = explain(
    `refused ${errors.length} of ${recipients} recipients: ${describe(deferred ?? first)}`,
  );
  return deferred ? { retry: reason, code: "rejected" } : { reject: reason, code: "rejected" };
}

function isPermanent({ code, responseCode }: SmtpError): boolean {
  // TLS errors are errors of the settings, which can be corrected.
  if (code === "ETLS") return false;
  if (typeof responseCode === "number") return responseCode >= 500;
  return permanentCodes.has(code);
}

/** Characters of a reason of the TLS library that are shown. */
const MAX_REASON = 300;

/** By code, and by the text of the library where one code is for several causes; the first that matches counts. */
const explanations: readonly (readonly [code: string, text: RegExp, reason: string])[] = [
  [
    "ETLS",
    /STARTTLS: \d/,
    "does not take STARTTLS, which `tls` and a login need; with TLS from the first byte its port is 465",
  ],
  ["ETLS", /./, "TLS failed; check `tls`, `verify` and `ca` of the mail settings"],
  [
    "ESOCKET",
    /altnames/i,
    "has a certificate of another name; set `host` to a name of the certificate, or `verify: false`",
  ],
  [
    "ESOCKET",
    /certificate|issuer/i,
    "has a certificate that does not verify; set `ca` to the file of its authority, or `verify: false`",
  ],
  [
    "ESOCKET",
    /SSL routines/,
    "does not speak TLS on this port; for STARTTLS set another `port` than 465, for none `tls: false`",
  ],
  ["ESOCKET", /ECONNREFUSED/, "refused the connection; check `host` and `port` of the mail settings"],
  ["ESOCKET", /E(HOST|NET)UNREACH/, "cannot be reached from here"],
  ["ESOCKET", /./, "the connection broke"],
  [
    "ETIMEDOUT",
    /Greeting/,
    "sent no greeting in time; with TLS from the first byte set `port: 465` and `tls: true`",
  ],
  ["ETIMEDOUT", /./, "no answer in time"],
  ["EPROTOCOL", /./, "is no mail server: its greeting is not of SMTP"],
  ["EDNS", /./, "the name is not known"],
  ["ECONNECTION", /./, "closed or refused the connection"],
  ["EABORT", /./, "the attempt was aborted"],
];
/** Those that are followed by what the library, or the server, says. */
const detailed = /certificate|STARTTLS,/;

/** The server's reply if there is one, else the cause and what to set. */
function describe({ code, message = "", response, responseCode }: SmtpError): string {
  const reply = typeof response === "string" && responseCode ? response : "";
  if (code !== "ETLS" && reply !== "") return `answered ${reply}`;
  const [, , reason] = explanations.find(([of, text]) => of === code && text.test(message)) ?? [];
  if (reason === undefined) return `cannot be reached${typeof code === "string" ? ` (${code})` : ""}`;
  const detail = (reply || message).replace(/\s+/g, " ").slice(0, MAX_REASON);
  return detailed.test(reason) ? `${reason} (${detail})` : reason;
}
