// Settings of hooks, and the file with the mail server beside the settings file.
import { dirname, join } from "node:path";
import { Value } from "@sinclair/typebox/value";
import { invalid, TorusError } from "../core/errors.ts";
import { substituteEnv } from "../core/text/environment.ts";
import { checkMailFile, SmtpSettings } from "../hooks/mail/settings.ts";
import type { Settings } from "./schema.ts";
import { expandKeys, parseYaml } from "./yaml.ts";

/** Where the mail server stands by default, beside the settings file. */
const MAIL_FILE = "plugins.d/mail.yml";

/** Settings of hooks as the server uses them. */
export interface HookOptions {
  /** Whether addresses that clients choose may lie in private networks. */
  readonly allowPrivate: boolean;
  /** Programs that hooks may run. */
  readonly programs: readonly string[];
  readonly smtp?: SmtpSettings;
  /** The file with the mail server, where others than its owner can read the password in it. */
  readonly exposedFile?: string;
}

export interface FileSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly readFile: (path: string) => string;
  /** Whether others than its owner can read a file; default: nobody can. */
  readonly isExposed?: (path: string) => boolean;
}

/**
 * Completes the settings of hooks.
 * @param file the settings file, where there is one
 * @throws TorusError `invalid` naming the mail file and the key
 */
export function readHookOptions(
  { webhook, exec, mail }: Settings["hooks"],
  file: string | undefined,
  sources: FileSources,
): HookOptions {
  const options = { allowPrivate: webhook.private_addresses, programs: exec.allow };
  const path = mail.config || (file && join(dirname(file), MAIL_FILE));
  const text = path ? readMailFile(path, { required: mail.config !== "" }, sources) : undefined;
  if (!path || text === undefined) return options;
  const smtp = parseMailFile(text, path, sources.env);
  const exposed = smtp.password !== undefined && sources.isExposed?.(path);
  return { ...options, smtp, ...(exposed && { exposedFile: path }) };
}

function readMailFile(
  path: string,
  { required }: { required: boolean },
  { readFile }: FileSources,
): string | undefined {
  try {
    return readFile(path);
  } catch (error) {
    const { code } = error as { code?: unknown };
    const missing = code === "ENOENT" || code === "ENOTDIR";
    if (missing && !required) return undefined;
    throw invalid(path, missing ? "does not exist" : "cannot be read");
  }
}

/** Quoted numbers and variables are texts; what they stand for is taken. */
function parseMailFile(text: string, path: string, env: FileSources["env"]): SmtpSettings {
  const { smtp, ...rest } = expandKeys(substituteEnv(parseYaml(text, path), env));
  try {
    return checkMailFile({ ...rest, ...(smtp !== undefined && { smtp: Value.Convert(SmtpSettings, smtp) }) });
  } catch (error) {
    throw error instanceof TorusError ? invalid(path, error.message) : error;
  }
}
