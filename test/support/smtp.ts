// Mail server for tests: accepts, defers, refuses, hangs or closes; with and without TLS.
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, TLSSocket } from "node:tls";
import type { Certificate } from "./certificate.ts";

/** What it does to a mail. `defer` and `refuse` answer RCPT, `defer-data` and `refuse-data` the end of the mail. */
export type SmtpBehaviour =
  | "accept"
  | "defer"
  | "refuse"
  | "defer-data"
  | "refuse-data"
  | "greet-busy"
  | "hang"
  | "hang-data"
  | "drop"
  | "drop-data";

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Lines unfolded, names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Everything as it came, dots unstuffed. */
  readonly raw: string;
  /** Of a text that was sent as quoted-printable, base64 or plainly. */
  readonly text: string;
  /** User and password of the login. */
  readonly login?: string;
  readonly encrypted: boolean;
}

export interface SmtpOptions {
  /** Offers STARTTLS, or with `implicit` speaks TLS from the first byte. */
  readonly certificate?: Certificate;
  readonly implicit?: boolean;
  /** Offers AUTH PLAIN; the password it takes. */
  readonly password?: string;
}

export interface SmtpServer {
  readonly port: number;
  behaviour: SmtpBehaviour;
  /** A refused recipient while the others are taken: what it is answered. */
  readonly refusals: Map<string, string>;
  /** Mails that were answered 250, in order. */
  readonly mails: ReceivedMail[];
  /** Every mail whose text arrived, whatever it was answered. */
  readonly seen: ReceivedMail[];
  /** Connections so far. */
  connections: number;
  /** Resolves when the n-th mail (from 1) has arrived, taken or not. */
  arrived(n: number): Promise<ReceivedMail>;
  stop(): Promise<void>;
}

/** Starts one on a free port, or on a given one after it was down. */
export async function startSmtp({
  port = 0,
  ...options
}: SmtpOptions & { port?: number } = {}): Promise<SmtpServer> {
  const sockets = new Set<Socket>();
  let waiting: { readonly n: number; resolve(mail: ReceivedMail): void }[] = [];
  const accept = (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    state.connections++;
    new Session(socket, state, options).begin();
  };
  const server: Server = options.implicit
    ? createTlsServer({ cert: options.certificate!.cert, key: options.certificate!.key }, accept)
    : createServer(accept);
  const state = {
    behaviour: "accept" as SmtpBehaviour,
    refusals: new Map<string, string>(),
    mails: [] as ReceivedMail[],
    seen: [] as ReceivedMail[],
    connections: 0,
    tell(mail: ReceivedMail) {
      state.seen.push(mail);
      const ready = waiting.filter(({ n }) => n <= state.seen.length);
      waiting = waiting.filter(({ n }) => n > state.seen.length);
      for (const { n, resolve } of ready) resolve(state.seen[n - 1]!);
    },
    arrived: (n: number) =>
      new Promise<ReceivedMail>((resolve) => {
        const mail = state.seen[n - 1];
        if (mail) resolve(mail);
        else waiting.push({ n, resolve });
      }),
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return Object.assign(state, { port: (server.address() as { port: number }).port });
}

interface SmtpState {
  behaviour: SmtpBehaviour;
  readonly refusals: ReadonlyMap<string, string>;
  readonly mails: ReceivedMail[];
  tell(mail: ReceivedMail): void;
}

/** What a recipient is answered who is not taken. */
const answers: Partial<Record<SmtpBehaviour, string>> = {
  defer: "451 4.7.1 try again later",
  refuse: "550 5.1.1 nobody of that name",
};

/** One connection. */
class Session {
  #rest = "";
  #inData = false;
  #from = "";
  #to: string[] = [];
  #login: string | undefined;
  #encrypted: boolean;

  constructor(
    private socket: Socket,
    private readonly state: SmtpState,
    private readonly options: SmtpOptions,
  ) {
    this.#encrypted = Boolean(options.implicit);
  }

  begin(): void {
    if (this.state.behaviour === "hang") return;
    if (this.state.behaviour === "drop") {
      this.socket.destroy();
      return;
    }
    this.#listen();
    this.#say(this.state.behaviour === "greet-busy" ? "421 busy" : "220 test ESMTP");
  }

  #listen(): void {
    this.socket.on("data", (chunk) => this.#read(chunk.toString("utf8")));
  }

  #say(line: string): void {
    this.socket.write(`${line}\r\n`);
  }

  #read(chunk: string): void {
    this.#rest += chunk;
    for (;;) {
      const end = this.#inData ? "\r\n.\r\n" : "\r\n";
      const at = this.#rest.indexOf(end);
      if (at < 0) return;
      const part = this.#rest.slice(0, at);
      this.#rest = this.#rest.slice(at + end.length);
      if (this.#inData) this.#take(part);
      else this.#obey(part);
    }
  }

  #obey(line: string): void {
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === "EHLO") this.#greet();
    else if (verb === "STAR") this.#encrypt();
    else if (verb === "AUTH") this.#authenticate(line);
    else if (verb === "MAIL") this.#begin(line);
    else if (verb === "RCPT") this.#address(line);
    else if (verb === "DATA") this.#data();
    else if (verb === "QUIT") {
      this.#say("221 bye");
      this.socket.end();
    } else this.#say("250 ok");
  }

  #greet(): void {
    const offers = ["250-test"];
    if (this.options.certificate && !this.#encrypted) offers.push("250-STARTTLS");
    if (this.options.password !== undefined) offers.push("250-AUTH PLAIN");
    this.#say([...offers, "250 SMTPUTF8"].join("\r\n"));
  }

  #encrypt(): void {
    const { cert, key } = this.options.certificate ?? {};
    if (!cert || !key) {
      this.#say("502 no TLS here");
      return;
    }
    this.#say("220 go ahead");
    this.socket.removeAllListeners("data");
    this.#encrypted = true;
    this.socket = new TLSSocket(this.socket, { isServer: true, cert, key });
    this.socket.on("error", () => this.socket.destroy());
    this.#listen();
  }

  #authenticate(line: string): void {
    const [, user = "", password = ""] = Buffer.from(line.split(" ")[2] ?? "", "base64")
      .toString()
      .split("\0");
    this.#login = `${user}:${password}`;
    this.#say(
      password === this.options.password ? "235 welcome" : `535 ${user} with ${password} is not known`,
    );
  }

  #begin(line: string): void {
    this.#from = addressIn(line);
    this.#to = [];
    this.#say("250 ok");
  }

  #address(line: string): void {
    const to = addressIn(line);
    const refusal = this.state.refusals.get(to);
    const answer = refusal ?? answers[this.state.behaviour];
    if (answer === undefined) this.#to.push(to);
    this.#say(answer ?? "250 ok");
  }

  #data(): void {
    this.#inData = true;
    this.#say("354 go on");
  }

  #take(part: string): void {
    this.#inData = false;
    const mail = parseMail(part.replaceAll("\r\n..", "\r\n."), {
      from: this.#from,
      to: this.#to,
      encrypted: this.#encrypted,
      ...(this.#login !== undefined && { login: this.#login }),
    });
    const { behaviour } = this.state;
    if (behaviour === "accept") this.state.mails.push(mail);
    this.state.tell(mail);
    if (behaviour === "drop-data") this.socket.destroy();
    else if (behaviour === "defer-data") this.#say("452 4.3.1 no room");
    else if (behaviour === "refuse-data") this.#say("554 5.7.1 looks like spam");
    else if (behaviour !== "hang-data") this.#say("250 taken");
  }
}

function addressIn(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? "";
}

function parseMail(
  raw: string,
  rest: Pick<ReceivedMail, "from" | "to" | "encrypted"> & { login?: string },
): ReceivedMail {
  const at = raw.indexOf("\r\n\r\n");
  const lines = raw
    .slice(0, at)
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n");
  const headers = new Map(
    lines.map((line) => [line.split(":")[0]!.toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  return {
    ...rest,
    raw,
    headers,
    text: decodeText(raw.slice(at + 4), headers.get("content-transfer-encoding")),
  };
}

function decodeText(body: string, encoding = "7bit"): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8").replaceAll("\r\n", "\n");
  const text = body.replaceAll("\r\n", "\n");
  if (encoding !== "quoted-printable") return text;
  const bytes = text
    .replace(/=\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
