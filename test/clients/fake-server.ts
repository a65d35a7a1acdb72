// Stand-in of a server for tests of the clients: records requests, answers as told, or drops connections.
import { expect } from "bun:test";

export interface Seen {
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  readonly headers: Headers;
}

export interface FakeServer extends AsyncDisposable {
  readonly url: string;
  readonly seen: readonly Seen[];
}

/** @param answer called with each request and how many were before it */
export function startFake(answer: (request: Request, before: number) => Response): FakeServer {
  const seen: Seen[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      const { pathname, search } = new URL(request.url);
      seen.push({ method: request.method, target: `${pathname}${search}`, headers: request.headers });
      return answer(request, seen.length - 1);
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, seen, [Symbol.asyncDispose]: () => server.stop(true) };
}

/** Drops the first connections after their request, and then answers `"done"`. */
export function startDropping(drops: number) {
  let count = 0;
  const answer =
    'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 6\r\nConnection: close\r\n\r\n"done"';
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data: (socket) => {
        count++;
        socket.end(count <= drops ? undefined : answer);
      },
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    expectAttempts: (wanted: number) => expect(count).toBe(wanted),
    [Symbol.dispose]: () => server.stop(true),
  };
}

/** An answer in problem details. */
export function problem(status: number, body: object, headers: Record<string, string> = {}): Response {
  return Response.json({ type: "about:blank", title: "", status, error: "", ...body }, { status, headers });
}
