// Kind `exec`: a program of this machine, if the settings allow it; no shell, the event as JSON on its standard input.
import { type Static, Type } from "@sinclair/typebox";
import { invalid } from "../core/errors.ts";
import type { HookKind } from "./kind.ts";
import type { Outcome } from "./shared/outcome.ts";

const NOT_ALLOWED = "is not allowed; name it in hooks.exec.allow of the settings";
const LIMIT_MS = 30_000;
/** EX_TEMPFAIL of sysexits.h. */
const TRY_AGAIN = 75;

const ExecConfig = Type.Object(
  {
    path: Type.String({
      pattern: "^/[^\\u0000]*$",
      maxLength: 4096,
      description: "Program; one of `hooks.exec.allow` of the server's settings",
      rule: "must be an absolute path",
    }),
    args: Type.Optional(
      Type.Array(Type.String({ maxLength: 4096, pattern: "^[^\\u0000]*$" }), {
        maxItems: 100,
        description: "Arguments",
        rule: "must be a list of at most 100 texts",
      }),
    ),
  },
  { additionalProperties: false },
);
export type ExecConfig = Static<typeof ExecConfig>;

export const exec: HookKind<typeof ExecConfig> = {
  kind: "exec",
  description: "Runs a program of the server's machine; only those that `hooks.exec.allow` names",
  config: ExecConfig,
  secrets: [],
  destination: [],
  check: (config, path, allowed) => {
    if (allowed && !allowed.programs.includes(config.path)) throw invalid(`${path}.path`, NOT_ALLOWED);
  },
  // Asked again here: the settings may have changed since.
  deliver: async (event, { path, args = [] }, { programs, key, signal }) => {
    if (!programs.includes(path)) return { reject: `the program ${NOT_ALLOWED}` };
    return runProgram([path, ...args], JSON.stringify({ ...event, key }), signal);
  },
};

/** Exit code 0 = sent, 75 = worth another attempt, anything else = never. */
async function runProgram(command: string[], input: string, signal: AbortSignal): Promise<Outcome> {
  let child: Bun.Subprocess;
  try {
    child = Bun.spawn(command, {
      stdin: new Blob([`${input}\n`]),
      stdout: "ignore",
      stderr: "ignore",
      // Nothing of the server's own environment, which may hold secrets.
      env: { PATH: "/usr/local/bin:/usr/bin:/bin", LANG: "C.UTF-8" },
      cwd: "/",
      signal,
      timeout: LIMIT_MS,
      killSignal: "SIGKILL",
    });
  } catch (error) {
    const { code } = error as { code?: unknown };
    return { retry: `the program could not be started${typeof code === "string" ? ` (${code})` : ""}` };
  }
  const exitCode = await child.exited;
  if (exitCode === 0) return "sent";
  if (exitCode === TRY_AGAIN)
    return { retry: `the program asks for another attempt (exit code ${TRY_AGAIN})` };
  if (child.signalCode === "SIGKILL") return { retry: `the program took longer than ${LIMIT_MS / 1000} s` };
  return { reject: `the program failed (${child.signalCode ?? `exit code ${exitCode}`})` };
}
