// Server options of the command line, and the settings they override.
import { type OptionSpec, type Options, parseWords } from "../core/formats/command-line.ts";

interface ServerOption extends OptionSpec {
  /** Path of the setting that the option overrides. */
  readonly setting?: string;
}

export const serverOptions = {
  config: { value: "FILE", description: "Settings file (YAML); also TORUS_CONFIG" },
  listen: { value: "HOST:PORT", setting: "server.listen", description: "Address to listen on; port 0 = any" },
  "data-dir": { value: "DIR", setting: "storage.path", description: "Directory of the state" },
  workers: { value: "N", setting: "server.workers", description: "Compute workers, or auto" },
  "log-level": { value: "LEVEL", setting: "log.level", description: "debug, info, warn or error" },
  "log-format": {
    value: "FORMAT",
    setting: "log.format",
    fallback: "text on a terminal, else json",
    description: "json or text",
  },
  "mail-config": {
    value: "FILE",
    setting: "hooks.mail.config",
    description: "File with the mail server, read at start",
  },
  "no-live": {
    description: "Disable live detection, hooks and scheduled jobs, for a copy beside the original",
  },
  insecure: { description: "Listen beyond this machine without authentication" },
  "check-config": { description: "Check the settings and exit" },
} as const satisfies Readonly<Record<string, ServerOption>> & Options;

type OptionName = keyof typeof serverOptions;

export interface CommandLine {
  readonly switches: ReadonlySet<OptionName>;
  readonly config?: string;
  /** Values of settings, by their dotted path. */
  readonly settings: ReadonlyMap<string, { flag: string; text: string }>;
}

/**
 * Parses the arguments of `serve`; the word itself may be left out.
 * @throws TorusError `invalid` for unknown flags, missing or unexpected values, and positional arguments
 */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const words = argv[0] === "serve" ? argv.slice(1) : argv;
  const { options } = parseWords(words, { arguments: {}, options: serverOptions });
  const switches = new Set<OptionName>();
  const settings = new Map<string, { flag: string; text: string }>();
  for (const name of Object.keys(serverOptions) as OptionName[]) {
    const { setting }: ServerOption = serverOptions[name];
    const value = options[name];
    if (value === true) switches.add(name);
    else if (setting && typeof value === "string") settings.set(setting, { flag: `--${name}`, text: value });
  }
  return { switches, settings, ...(options.config !== undefined && { config: options.config }) };
}
