// Every hook kind against the contract, each with its own receiver.
import { expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TorusError } from "../../src/core/errors.ts";
import { hookKinds } from "../../src/hooks/index.ts";
import { createMailer } from "../../src/hooks/mail/smtp.ts";
import { temporaryFolder } from "../support/folder.ts";
import { startReceiver } from "../support/receiver.ts";
import { startSmtp } from "../support/smtp.ts";
import { type Contract, type ReceiverBehaviour, runContract, type Subject } from "./contract.ts";

async function createMail(): Promise<Subject> {
  const server = await startSmtp();
  const behaviours = {
    accept: "accept",
    busy: "defer-data",
    refuse: "refuse-data",
    hang: "hang-data",
  } as const;
  return {
    config: { from: { address: "a@example.org" }, to: { address: "b@example.org" } },
    context: { sendMail: createMailer({ host: "127.0.0.1", port: server.port }) },
    turn: (behaviour) => {
      server.behaviour = behaviours[behaviour];
    },
    down: () => server.stop(),
    received: () => server.mails.map(({ raw, text }) => `${raw}\n${text}`),
    dispose: () => server.stop(),
  };
}

function createPosted(makeConfig: (url: string) => Record<string, unknown>): Subject {
  const receiver = startReceiver();
  return {
    config: makeConfig(receiver.url),
    turn: (behaviour) => {
      receiver.behaviour = behaviour === "refuse" ? "chatty" : behaviour;
    },
    down: () => receiver.stop(),
    received: () => receiver.posts.map(({ body }) => body),
    dispose: () => receiver.stop(),
  };
}

function createAnnotated(): Subject {
  const received: string[] = [];
  let behaviour: ReceiverBehaviour = "accept";
  const codes = { busy: "bucket_unavailable", refuse: "bucket_rejected" } as const;
  return {
    config: { type: "torus", bucket: "b" },
    context: {
      annotate: async (bucket, annotation, signal) => {
        if (behaviour === "hang") await untilAborted(signal);
        if (behaviour === "busy" || behaviour === "refuse")
          throw new TorusError(codes[behaviour], `bucket ${bucket}: no`);
        received.push(JSON.stringify(annotation));
      },
    },
    turn: (next) => {
      behaviour = next;
    },
    down: () => {
      behaviour = "busy";
    },
    received: () => received,
    dispose: () => {},
  };
}

function createPublished(): Subject {
  const received: string[] = [];
  let behaviour: ReceiverBehaviour = "accept";
  const codes = { busy: "bucket_unavailable", refuse: "bucket_auth" } as const;
  return {
    config: { addr: "broker.example:1883", username: "hunter2", password: "hunter2-pw" },
    context: {
      publish: async (_broker, { topic, payload }, signal) => {
        if (behaviour === "hang") await untilAborted(signal);
        if (behaviour === "busy" || behaviour === "refuse") throw new TorusError(codes[behaviour], "no");
        received.push(`${topic} ${payload}`);
      },
    },
    turn: (next) => {
      behaviour = next;
    },
    down: () => {
      behaviour = "busy";
    },
    received: () => received,
    dispose: () => {},
  };
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener("abort", () => reject(new TorusError("canceled", "given up"))),
  );
}

const bodies: Readonly<Record<ReceiverBehaviour, string>> = {
  accept: 'cat >> "$1"',
  busy: "exit 75",
  refuse: "exit 1",
  hang: "exec sleep 60",
};

function createProgram(): Subject {
  const dir = temporaryFolder();
  const [path, log] = [join(dir, "tell"), join(dir, "log")];
  const turn = (behaviour: ReceiverBehaviour) =>
    writeFileSync(path, `#!/bin/sh\n${bodies[behaviour]}\n`, { mode: 0o755 });
  turn("accept");
  writeFileSync(log, "");
  return {
    config: { path, args: [log] },
    context: { programs: [path] },
    turn,
    down: () => rmSync(path),
    received: () =>
      readFileSync(log, "utf8")
        .split("\n")
        .filter((line) => line !== ""),
    dispose: () => rmSync(dir, { recursive: true }),
  };
}

const contracts: Readonly<Record<keyof typeof hookKinds, Contract>> = {
  mail: { kind: "mail", create: createMail },
  annotations: { kind: "annotations", create: createAnnotated },
  webhook: {
    kind: "webhook",
    create: () =>
      createPosted((url) => ({
        url: url.replace("//", "//ada:hunter2@"),
        secret: "hunter2-secret",
        headers: { "X-Api-Key": "hunter2-key" },
      })),
    secrets: ["hunter2"],
  },
  alertmanager: {
    kind: "alertmanager",
    create: () => createPosted((url) => ({ url: url.replace("//", "//ada:hunter2@") })),
    secrets: ["hunter2"],
  },
  slack: {
    kind: "slack",
    create: () => createPosted((url) => ({ url: `${url}/services/hunter2` })),
    secrets: ["hunter2"],
  },
  teams: {
    kind: "teams",
    create: () => createPosted((url) => ({ url: `${url}/workflows/1?sig=hunter2` })),
    secrets: ["hunter2"],
  },
  ntfy: {
    kind: "ntfy",
    create: () => createPosted((url) => ({ url, topic: "hunter2-topic", token: "hunter2-token" })),
    secrets: ["hunter2"],
  },
  mqtt: { kind: "mqtt", create: createPublished, secrets: ["hunter2"] },
  exec: { kind: "exec", create: createProgram },
};

test("every kind has a contract", () => {
  expect(Object.keys(contracts).sort()).toEqual(Object.keys(hookKinds).sort());
});

for (const contract of Object.values(contracts)) runContract(contract);

runContract({
  kind: "webhook",
  variant: "with a body of its own",
  create: () =>
    createPosted((url) => ({
      url: `${url}/{values.key}/send`,
      body: { token: "{values.key}", text: "{title} {description} {model}" },
      values: { key: "hunter2-key" },
    })),
  secrets: ["hunter2"],
});
