// HTTP receiver for tests of hooks: accepts, is busy, refuses, redirects, hangs or closes.
export type ReceiverBehaviour = "accept" | "busy" | "refuse" | "redirect" | "hang" | "chatty";

export interface ReceivedPost {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

export interface Receiver {
  readonly port: number;
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  behaviour: ReceiverBehaviour;
  /** Time that each answer takes. */
  delayMs: number;
  /** Everything that came, whatever it was answered. */
  readonly posts: ReceivedPost[];
  stop(): Promise<void>;
}

/** Starts one on a free port. */
export function startReceiver(): Receiver {
  const hanging: (() => void)[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const { method, headers } = request;
      receiver.posts.push({ method, headers, path: `${pathname}${search}`, body: await request.text() });
      if (receiver.behaviour === "hang") await new Promise<void>((resolve) => hanging.push(resolve));
      if (receiver.delayMs > 0) await Bun.sleep(receiver.delayMs);
      return answerOf(receiver);
    },
  });
  const receiver: Receiver = {
    port: server.port!,
    url: `http://127.0.0.1:${server.port}`,
    behaviour: "accept",
    delayMs: 0,
    posts: [],
    stop: async () => {
      for (const resolve of hanging) resolve();
      await server.stop(true);
    },
  };
  return receiver;
}

function answerOf({ behaviour, url, posts }: Receiver): Response {
  if (behaviour === "busy") return new Response("busy", { status: 503 });
  if (behaviour === "redirect")
    return new Response(null, { status: 307, headers: { Location: `${url}/elsewhere` } });
  if (behaviour === "refuse") return new Response("no", { status: 400 });
  // Repeats what it was told, as if it wanted the secrets to be seen.
  if (behaviour === "chatty") return Response.json({ error: JSON.stringify(posts.at(-1)) }, { status: 422 });
  return new Response("ok");
}
