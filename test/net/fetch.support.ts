// Helpers for tests of outbound HTTP: faulty servers, and a client whose password must not leak.
import { expect } from "bun:test";
import type { TorusError } from "../../src/core/errors.ts";
import { parseAddress } from "../../src/net/address.ts";
import { Client, type ClientOptions, type Request } from "../../src/net/fetch.ts";
import { idle } from "../buckets/support.ts";

/** A password with every kind of character; in no message. */
export const marker = "MARKER+pw/9=";
const closers: (() => void)[] = [];

/** Closes something when the test is over. */
export function closeLater(close: () => void): void {
  closers.push(close);
}

/** Closes every server of a test; for `afterEach`. */
export function closeServers(): void {
  for (const close of closers.splice(0)) close();
}

/** Answers every connection with these bytes as soon as a request comes in. */
export function serveBytes(bytes: string, { hangUp = true } = {}): string {
  const sockets = new Set<{ end(): void }>();
  const listener = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket) {
        sockets.add(socket);
        socket.write(bytes);
        if (hangUp) socket.end();
      },
    },
  });
  closers.push(() => {
    for (const socket of sockets) socket.end();
    listener.stop(true);
  });
  return `127.0.0.1:${listener.port}`;
}

/** An HTTP server; answers its `host:port`. */
export function serve(answer: (request: globalThis.Request) => Response | Promise<Response>): string {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answer });
  closers.push(() => void server.stop(true));
  return `127.0.0.1:${server.port}`;
}

/** A client of the server with a user and the marker as its password. */
export function makeClient(addr: string, options: Partial<ClientOptions> = {}) {
  const authorization = { user: "some-user", password: marker };
  return new Client({
    software: "Store",
    address: parseAddress(addr),
    defaultPort: 1,
    authorization,
    ...options,
  });
}

/** Any request. */
export const get: Request = { method: "GET", path: "/x" };

/** The error of a GET, checked not to hold the marker. */
export async function failure(
  addr: string,
  options: Partial<ClientOptions> = {},
  signal = idle(),
): Promise<TorusError> {
  const error = await makeClient(addr, options)
    .send(get, signal)
    .then(
      (text) => new Error(`answered ${text.slice(0, 50)}`),
      (thrown) => thrown,
    );
  expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toContain(marker);
  return error;
}
