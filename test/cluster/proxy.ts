// TCP proxy before a server: passes everything on, or swallows it as a network that drops packets does.
import type { Socket } from "bun";

export interface TcpProxy {
  /** `host:port`. */
  readonly addr: string;
  /** Whether bytes are dropped in both directions; connections stay open. */
  isSwallowing: boolean;
  stop(): void;
}

interface Pair {
  other: Socket<Pair> | undefined;
  /** Bytes that came before the other side was connected. */
  readonly early: Uint8Array[];
}

/** Starts one before `host:port`. */
export function startProxy(target: string): TcpProxy {
  const [hostname, port] = target.split(":") as [string, string];
  const pass = (socket: Socket<Pair>, bytes: Uint8Array) => {
    if (proxy.isSwallowing) return;
    const { other, early } = socket.data;
    if (other) other.write(bytes);
    else early.push(Uint8Array.from(bytes));
  };
  const end = (socket: Socket<Pair>) => {
    if (!proxy.isSwallowing) socket.data.other?.end();
  };
  const listener = Bun.listen<Pair>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(client) {
        client.data = { other: undefined, early: [] };
        void Bun.connect<Pair>({
          hostname,
          port: Number(port),
          data: { other: client, early: [] },
          socket: { data: pass, close: end, error: end },
        }).then(
          (server) => {
            client.data.other = server;
            for (const bytes of client.data.early.splice(0)) server.write(bytes);
          },
          () => client.end(),
        );
      },
      data: pass,
      close: end,
      error: end,
    },
  });
  const proxy: TcpProxy = {
    addr: `127.0.0.1:${listener.port}`,
    isSwallowing: false,
    stop: () => listener.stop(true),
  };
  return proxy;
}
