// Beyond loopback the server listens only with a token, or with --insecure.
import { afterEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../support/folder.ts";
import { runServer, type ServerProcess, startServer } from "../support/server-process.ts";

const dir = temporaryFolder();

const everywhere = ["--listen", "0.0.0.0:0"];
const secret = "configured-admin-token-0123456789";
const config = join(dir, "torus.yml");
writeFileSync(config, `server.auth.tokens: [{name: ops, scope: admin, token: ${secret}}]`);

let server: ServerProcess | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

/** The address it can be reached at from here. */
const here = ({ url }: ServerProcess) => url.replace("0.0.0.0", "127.0.0.1");
const statusOf = async (token?: string) => {
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  return (await fetch(`${here(server!)}/models`, { headers })).status;
};

test("without a token the start is refused, with the ways out", async () => {
  const { exitCode, output } = await runServer({ dataDir: temporaryFolder(), args: everywhere });
  expect(exitCode).toBe(2);
  for (const text of ["server.listen", "torus token create", "server.auth.tokens", "--insecure"])
    expect(output).toContain(text);
});

test("a token that is needed everywhere is asked for everywhere", async () => {
  const args = ["--config", join(dir, "required.yml")];
  writeFileSync(args[1]!, "server.auth.required: true");
  const { exitCode, output } = await runServer({ dataDir: temporaryFolder(), args });
  expect([exitCode, output.includes("server.auth.required: there is no token")]).toEqual([2, true]);
});

test("with a token of the settings it starts, and asks for it", async () => {
  server = await startServer({ dataDir: temporaryFolder(), args: [...everywhere, "--config", config] });
  expect([await statusOf(), await statusOf(secret)]).toEqual([401, 200]);
});

test("with a token that was made on this machine it starts; the last one then stays", async () => {
  const dataDir = temporaryFolder();
  server = await startServer({ dataDir });
  const body = JSON.stringify({ name: "ops", scope: "admin" });
  const headers = { "content-type": "application/json" };
  const made = await fetch(`${server.url}/tokens`, { method: "POST", headers, body });
  const { token } = (await made.json()) as { token: string };
  await server.stop();
  const checked = await runServer({ dataDir, args: [...everywhere, "--check-config"] });
  expect(checked.exitCode).toBe(0);
  expect(checked.output).toContain("only if a token is in its database");
  server = await startServer({ dataDir, args: everywhere });
  expect([await statusOf(), await statusOf(token)]).toEqual([401, 200]);
  const authorization = `Bearer ${token}`;
  const removed = await fetch(`${here(server)}/tokens/ops`, { method: "DELETE", headers: { authorization } });
  expect(removed.status).toBe(409);
  expect(await statusOf()).toBe(401);
});

test("said aloud, it is open", async () => {
  server = await startServer({ dataDir: temporaryFolder(), args: [...everywhere, "--insecure"] });
  expect(await statusOf()).toBe(200);
});

test("behind a trusted proxy who guesses waits, the others do not; a client cannot say who it is", async () => {
  const guess = async (forwarded: string, token = "guess") => {
    const headers = { authorization: `Bearer ${token}`, "x-forwarded-for": forwarded };
    return (await fetch(`${server!.url}/models`, { headers })).status;
  };
  const trusting = join(dir, "trusting.yml");
  const auth = `auth: {tokens: [{name: ops, scope: admin, token: ${secret}}]}`;
  writeFileSync(trusting, `server: {trusted_proxies: [127.0.0.1], ${auth}}`);
  const listen = ["--listen", "127.0.0.1:0"];
  server = await startServer({ dataDir: temporaryFolder(), args: [...listen, "--config", trusting] });
  for (let i = 0; i < 10; i++) expect(await guess(`203.0.113.${i}, 192.0.2.1`)).toBe(401);
  expect(await guess("192.0.2.1", secret)).toBe(429);
  expect(await guess("192.0.2.2", secret)).toBe(200);
  expect(server.lines.join("\n")).toContain('"address":"192.0.2.1"');
  await server.stop();

  server = await startServer({ dataDir: temporaryFolder(), args: [...listen, "--config", config] });
  for (let i = 0; i < 10; i++) expect(await guess(`192.0.2.${i}`)).toBe(401);
  expect(await guess("192.0.2.99", secret)).toBe(429);
});
