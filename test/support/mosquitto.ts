// Real mosquitto, the MQTT broker, on a free port, with a client that publishes and subscribes.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import mqtt, { type IClientPublishOptions, type IPublishPacket, type MqttClient } from "mqtt";
import { findFreePort, makeFolder, spawnServer } from "./spawned.ts";

const program = ["/usr/sbin/mosquitto", "/usr/bin/mosquitto"].find((path) => existsSync(path));

/** Why tests against the real broker cannot run here; undefined where they can. */
export const mosquittoMissing: string | undefined = program
  ? undefined
  : "mosquitto is not installed (apt-get install -y --no-install-recommends mosquitto); its tests are skipped";

export interface Mosquitto {
  /** `127.0.0.1:<port>`. */
  readonly addr: string;
  /** A client with a clean session; ended with the broker. */
  connect(): Promise<MqttClient>;
  /** Publishes with QoS 1 and waits for the acknowledgement. */
  publish(topic: string, payload: string | Buffer, options?: IClientPublishOptions): Promise<void>;
  /** Messages of a filter from now on, and those that are retained. */
  collect(filter: string): Promise<readonly IPublishPacket[]>;
  /** Ends it at once; its sessions are lost unless `keepsSessions`. */
  crash(): Promise<void>;
  /** Starts it on the same port. */
  resume(): Promise<void>;
  stop(): Promise<void>;
}

interface MosquittoOptions {
  /** PEM. */
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly user?: { readonly username: string; readonly password: string };
}

export async function startMosquitto({ tls, user }: MosquittoOptions = {}): Promise<Mosquitto> {
  const dir = makeFolder("mosquitto");
  const port = findFreePort();
  const lines = [
    `listener ${port} 127.0.0.1`,
    "max_queued_messages 10000",
    "sys_interval 1",
    `allow_anonymous ${!user}`,
  ];
  if (tls) {
    for (const [name, text] of Object.entries(tls)) await Bun.write(join(dir, `${name}.pem`), text);
    lines.push(`certfile ${join(dir, "cert.pem")}`, `keyfile ${join(dir, "key.pem")}`);
  }
  if (user) {
    const file = join(dir, "passwords");
    Bun.spawnSync(["mosquitto_passwd", "-b", "-c", file, user.username, user.password]);
    lines.push(`password_file ${file}`);
  }
  // It gives its rights up for those of this user, who must be able to read the files.
  lines.push(`user ${process.getuid?.() === 0 ? "root" : (process.env.USER ?? "nobody")}`);
  const config = join(dir, "mosquitto.conf");
  await Bun.write(config, `${lines.join("\n")}\n`);

  const clients: MqttClient[] = [];
  const connect = async (): Promise<MqttClient> => {
    const client = await mqtt.connectAsync({
      host: "127.0.0.1",
      port,
      protocol: tls ? "mqtts" : "mqtt",
      rejectUnauthorized: false,
      reconnectPeriod: 0,
      ...user,
    });
    clients.push(client);
    return client;
  };
  const isReady = async () => {
    (await Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } })).end();
    return true;
  };
  const run = () =>
    spawnServer({ command: [program!, "-c", config], dir: makeFolder("mosquitto-run"), isReady });
  let halt = await run();
  return {
    addr: `127.0.0.1:${port}`,
    connect,
    publish: async (topic, payload, options) => {
      const client = await connect();
      await client.publishAsync(topic, payload, { qos: 1, ...options });
      await client.endAsync();
    },
    collect: async (filter) => {
      const client = await connect();
      const packets: IPublishPacket[] = [];
      client.on("message", (_topic, _payload, packet) => packets.push(packet));
      await client.subscribeAsync(filter, { qos: 1 });
      return packets;
    },
    crash: () => halt(),
    resume: async () => {
      halt = await run();
    },
    stop: async () => {
      for (const client of clients) client.end(true);
      await halt();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
