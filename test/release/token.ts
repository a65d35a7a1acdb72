// A server whose settings hold a token: it answers to this token, and to nobody else.
import { type StartOptions, startServer } from "../support/server-process.ts";
import { expectThat } from "./roots.ts";

export const TOKEN = "0123456789abcdef".repeat(4);

/** Starts a server with settings that hold TOKEN, asks it and stops it. @throws Error naming what is not so */
export async function proveToken(options: StartOptions): Promise<void> {
  const server = await startServer(options);
  try {
    const ask = async (headers: Record<string, string>) =>
      (await fetch(`${server.url}/models`, { headers })).status;
    expectThat((await ask({})) === 401, "the settings are in force");
    expectThat((await ask({ authorization: `Bearer ${TOKEN}` })) === 200, "their token is accepted");
  } finally {
    expectThat((await server.stop()) === 0, "the server stops by itself");
  }
}
