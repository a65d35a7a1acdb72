// Presets on real exporters, scraped by a real Prometheus: what they expose now is what the presets look for.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { temporaryFolder } from "../../support/folder.ts";
import { owner, postgresMissing, startPostgres } from "../../support/postgres.ts";
import { findFreePort, makeFolder, spawnServer } from "../../support/spawned.ts";
import { useSession } from "../session.ts";
import { missing, namesOf, planOn } from "./exporter.ts";

setDefaultTimeout(120_000);

const session = useSession();

const node = "prometheus-node-exporter";
const noNode = missing(node);
describe.skipIf(noNode !== undefined)(`node_exporter ${noNode ?? ""}`, () => {
  test("every model has series, those of devices and mounts as far as the machine has them", async () => {
    const port = findFreePort();
    const command = [node, `--web.listen-address=127.0.0.1:${port}`];
    const { names } = await planOn(session, "node_exporter", { command, port });
    expect(names).toContainValues(["cpu_idle", "load", "memory_available"]);
    expect(namesOf("node_exporter")).toContainValues(names);
  });
});

const blackbox = "prometheus-blackbox-exporter";
const noBlackbox = missing(blackbox);
describe.skipIf(noBlackbox !== undefined)(`blackbox_exporter ${noBlackbox ?? ""}`, () => {
  test("a probe without TLS has all but the certificate", async () => {
    const port = findFreePort();
    const config = join(temporaryFolder(), "config.yml");
    await Bun.write(config, JSON.stringify({ modules: { tcp: { prober: "tcp" } } }));
    const command = [blackbox, `--web.listen-address=127.0.0.1:${port}`, `--config.file=${config}`];
    const scrape = { metrics_path: "/probe", params: { module: ["tcp"], target: [`127.0.0.1:${port}`] } };
    const { names, err } = await planOn(session, "blackbox", { command, port, scrape });
    expect(names).toEqual(["probe_duration", "probe_success"]);
    expect(err).toContain("left out: certificate_left: no probe_ssl_earliest_cert_expiry");
  });
});

const postgres = "prometheus-postgres-exporter";
const noPostgres = postgresMissing ?? missing(postgres);
describe.skipIf(noPostgres !== undefined)(`postgres_exporter ${noPostgres ?? ""}`, () => {
  test("a server has every model but the lag, which has another name before version 0.15", async () => {
    const server = await startPostgres();
    try {
      const port = findFreePort();
      const { user, password } = owner;
      const source = `postgresql://${user}:${password}@${server.addr}/postgres?sslmode=disable`;
      const listen = `--web.listen-address=127.0.0.1:${port}`;
      const command = ["env", `DATA_SOURCE_NAME=${source}`, postgres, listen];
      const { names } = await planOn(session, "postgres", { command, port });
      const lag = "replication_lag";
      expect([...names.filter((name) => name !== lag), lag]).toEqual(namesOf("postgres"));
    } finally {
      await server.stop();
    }
  });
});

const noHaproxy = missing("haproxy");
describe.skipIf(noHaproxy !== undefined)(`haproxy ${noHaproxy ?? ""}`, () => {
  test("a frontend and a backend have every model", async () => {
    const port = findFreePort();
    const config = join(temporaryFolder(), "haproxy.cfg");
    const lines = [
      "defaults",
      "  mode http",
      ...["connect", "client", "server"].map((side) => `  timeout ${side} 5s`),
      "frontend public",
      `  bind 127.0.0.1:${port}`,
      "  http-request use-service prometheus-exporter if { path /metrics }",
      "  default_backend app",
      "backend app",
      `  server one 127.0.0.1:${findFreePort()}`,
    ];
    await Bun.write(config, `${lines.join("\n")}\n`);
    const { names, err } = await planOn(session, "haproxy", {
      command: ["haproxy", "-db", "-f", config],
      port,
    });
    expect([names, err]).toEqual([namesOf("haproxy"), ""]);
  });
});

/** Whether a Redis answers. */
async function answers(port: number): Promise<boolean> {
  const client = new Bun.RedisClient(`redis://127.0.0.1:${port}`);
  try {
    return (await client.ping()) === "PONG";
  } finally {
    client.close();
  }
}

const redis = "prometheus-redis-exporter";
const noRedis = missing("redis-server") ?? missing(redis);
describe.skipIf(noRedis !== undefined)(`redis_exporter ${noRedis ?? ""}`, () => {
  test("a server has every model", async () => {
    const [server, port] = [findFreePort(), findFreePort()];
    const dir = makeFolder("redis");
    const stop = await spawnServer({
      dir,
      command: ["redis-server", "--port", `${server}`, "--bind", "127.0.0.1", "--save", "", "--dir", dir],
      isReady: () => answers(server),
    });
    try {
      const listen = ["-web.listen-address", `127.0.0.1:${port}`];
      const command = [redis, ...listen, "-redis.addr", `redis://127.0.0.1:${server}`];
      const { names, err } = await planOn(session, "redis", { command, port });
      expect([names, err]).toEqual([namesOf("redis"), ""]);
    } finally {
      await stop();
    }
  });
});

const nginx = "prometheus-nginx-exporter";
const noNginx = missing("nginx") ?? missing(nginx);
describe.skipIf(noNginx !== undefined)(`nginx-prometheus-exporter ${noNginx ?? ""}`, () => {
  test("a server has every model", async () => {
    const [server, port] = [findFreePort(), findFreePort()];
    const dir = makeFolder("nginx");
    const config = join(dir, "nginx.conf");
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    const lines = [
      "daemon off;",
      "master_process off;",
      `pid ${dir}/pid;`,
      "events {}",
      "http {",
      "  access_log off;",
      ...temporary.map((name) => `  ${name}_temp_path ${dir}/${name};`),
      `  server { listen 127.0.0.1:${server}; location /stub_status { stub_status; } }`,
      "}",
    ];
    await Bun.write(config, `${lines.join("\n")}\n`);
    const scraped = `http://127.0.0.1:${server}/stub_status`;
    const stop = await spawnServer({
      dir,
      command: ["nginx", "-e", join(dir, "errors"), "-p", dir, "-c", config],
      isReady: async () => (await fetch(scraped)).ok,
    });
    try {
      const listen = `-web.listen-address=127.0.0.1:${port}`;
      const command = [nginx, listen, `-nginx.scrape-uri=${scraped}`];
      const { names, err } = await planOn(session, "nginx", { command, port });
      expect([names, err]).toEqual([namesOf("nginx"), ""]);
    } finally {
      await stop();
    }
  });
});

/** Whether something listens; rejects otherwise. */
async function listens(port: number): Promise<boolean> {
  (await Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } })).end();
  return true;
}

const mysqld = "prometheus-mysqld-exporter";
const noMysqld = missing("mariadbd", "mariadb-server-core") ?? missing(mysqld);
describe.skipIf(noMysqld !== undefined)(`mysqld_exporter ${noMysqld ?? ""}`, () => {
  test("a server without a replica has every model but the lag", async () => {
    const [server, port] = [findFreePort(), findFreePort()];
    const dir = makeFolder("mariadb");
    // Without tables of users any name and password will do.
    const options = ["--no-defaults", "--skip-grant-tables", "--bind-address=127.0.0.1", `--port=${server}`];
    const places = [`--datadir=${dir}`, `--socket=${dir}/socket`, `--pid-file=${dir}/pid`];
    const client = join(temporaryFolder(), "client.cnf");
    await Bun.write(client, `[client]\nhost=127.0.0.1\nport=${server}\nuser=any\npassword=any\n`);
    const stop = await spawnServer({
      dir,
      command: ["mariadbd", ...options, ...places, ...(process.getuid?.() === 0 ? ["--user=root"] : [])],
      isReady: () => listens(server),
    });
    try {
      const command = [mysqld, `--config.my-cnf=${client}`, `--web.listen-address=127.0.0.1:${port}`];
      const { names, err } = await planOn(session, "mysqld", { command, port });
      expect(names).toEqual(namesOf("mysqld").filter((name) => name !== "replication_lag"));
      expect(err).toContain("left out: replication_lag: no mysql_slave_status_seconds_behind_master");
    } finally {
      await stop();
    }
  });
});
