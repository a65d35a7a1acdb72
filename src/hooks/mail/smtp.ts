// Mail over SMTP: one message, one connection; what the server says decides whether another attempt is worth it.
import { createTransport } from "nodemailer";
import { TorusError } from "../../core/errors.ts";
import { hideSecrets } from "../../net/hide.ts";
import { readTlsOptions } from "../../net/tls.ts";
import type { Outcome } from "../shared/outcome.ts";
import type { SmtpSettings } from "./settings.ts";

export interface MailAddress {
  readonly name?: string;
  readonly address: string;
}

/** A message of checked parts; texts may hold anything. */
export interface Mail {
  readonly from: MailAddress;
  readonly to: readonly MailAddress[];
  readonly subject: string;
  readonly text: string;
  /** With angle brackets. */
  readonly messageId: string;
  /** Message-ID of the message this one belongs to. */
  readonly references?: string;
}

/** Sends one message. */
export type SendMail = (mail: Mail, signal: AbortSignal) => Promise<Outcome>;

/** The defaults of the library are minutes. */
const timeouts = {
  socketCloseTimeout: 0,
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
};
/** Mistakes in the message itself; no repetition mends them. */
const permanentCodes: ReadonlySet<unknown> = new Set(["EMESSAGE", "EENVELOPE"]);

/** Prepares sending through the server of the settings; connects to nothing. */
export function createMailer(settings: SmtpSettings): SendMail {
  const { host, user, password } = settings;
  const port = portOf(settings);
  const secrets = [user ?? "", password ?? "", ...encodings(user, password)];
  const explain = (reason: string) => hideSecrets(`mail server ${host}:${port}: ${reason}`, secrets);

  return async (mail, signal) => {
    try {
      const transport = createTransport(await readConnection(settings));
      try {
        const { rejectedErrors = [] } = await transport.sendMail(toMessage(mail, signal));
        return judgePartial(rejectedErrors, mail.to.length, explain);
      } finally {
        transport.close();
      }
    } catch (error) {
      // A file that the settings name cannot be used, which its owner can mend.
      if (error instanceof TorusError) return { retry: explain(error.message) };
      return judge(error as SmtpError, explain);
    }
  };
}

function portOf({ port, tls }: SmtpSettings): number {
  return port ?? (tls ? 465 : 25);
}

/** How to connect, with the files read anew. @throws TorusError `invalid` where `ca` is no PEM file */
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
    // A password never goes over a plain connection, whatever `tls` says.
    requireTLS: !secure && (tls || Boolean(user)),
    ignoreTLS: !tls && !user,
    ...(user && { auth: { user, pass: password } }),
    tls: { rejectUnauthorized, ...(ca && { ca }) },
    disableFileAccess: true,
    disableUrlAccess: true,
    ...timeouts,
  };
}

/** Forms of the credentials that a server may repeat. */
function encodings(user = "", password = ""): string[] {
  const encode = (text: string) => Buffer.from(text, "utf8").toString("base64");
  return [encode(user), encode(password), encode(`\0${user}\0${password}`)].filter((text) => text.length > 4);
}

function toMessage({ from, to, subject, text, messageId, references }: Mail, signal: AbortSignal) {
  const toAddress = ({ name = "", address }: MailAddress) => ({ name, address });
  return {
    from: toAddress(from),
    to: to.map(toAddress),
    // Said here so that nothing is read out of headers.
    envelope: { from: from.address, to: to.map(({ address }) => address) },
    subject: toHeaderText(subject),
    text,
    messageId,
    ...(references && { inReplyTo: references, references }),
    headers: { "Auto-Submitted": "auto-generated" },
    signal,
  };
}

/** One line: whatever could begin another header becomes a space. */
function toHeaderText(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .slice(0, 900)
    .trim();
}

interface SmtpError {
  readonly code?: unknown;
  readonly responseCode?: unknown;
  readonly response?: unknown;
}

type Explain = (reason: string) => string;

function judge(error: SmtpError, explain: Explain): Outcome {
  const reason = explain(describe(error));
  return isPermanent(error) ? { reject: reason } : { retry: reason };
}

/**
 * Some recipients were refused and the others have it. A refusal that passes is worth another attempt: who has it
 * already sees the same Message-ID again.
 */
function judgePartial(errors: readonly SmtpError[], recipients: number, explain: Explain): Outcome {
  const [first] = errors;
  if (!first) return "sent";
  const deferred = errors.find((error) => !isPermanent(error));
  const reason = explain(
    `refused ${errors.length} of ${recipients} recipients: ${describe(deferred ?? first)}`,
  );
  return deferred ? { retry: reason } : { reject: reason };
}

function isPermanent({ code, responseCode }: SmtpError): boolean {
  // What is wrong with TLS is wrong with the settings, and mended there.
  if (code === "ETLS") return false;
  if (typeof responseCode === "number") return responseCode >= 500;
  return permanentCodes.has(code);
}

const sayings: Readonly<Record<string, string>> = {
  ETLS: "TLS failed; check tls, verify and ca of the mail settings",
  ETIMEDOUT: "no answer in time",
  EDNS: "the name is not known",
  ECONNECTION: "closed or refused the connection",
  ESOCKET: "the connection broke; check port, tls, verify and ca of the mail settings",
  EABORT: "the attempt was given up",
};

/** The server's own words where it has said something. */
function describe({ code, response, responseCode }: SmtpError): string {
  if (code !== "ETLS" && typeof response === "string" && response !== "" && responseCode)
    return `answered ${response}`;
  const known = typeof code === "string" ? sayings[code] : undefined;
  return known ?? `cannot be reached${typeof code === "string" ? ` (${code})` : ""}`;
}
