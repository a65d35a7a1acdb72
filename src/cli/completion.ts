// Completion scripts for shells, made from the table of commands.
import type { Options } from "../core/command-line.ts";
import type { Command } from "./command.ts";
import { globalOptions, helpOption } from "./options.ts";

export const shells = ["bash", "zsh", "fish"] as const;

/** Text of the script. @param shell one of `shells` */
export function renderCompletion(shell: string, commands: readonly Command[]): string {
  const entries = commands.flatMap(toEntries);
  if (shell === "fish") return renderFish(entries);
  return shell === "zsh" ? renderZsh(entries) : renderBash(entries);
}

/** What can follow a command, under each of its names. */
interface Entry {
  /** Its words: one or two. */
  readonly words: readonly string[];
  readonly summary: string;
  readonly options: Options;
  /** Fixed words its arguments may be. */
  readonly choices: readonly string[];
}

function toEntries(command: Command): Entry[] {
  const { name, aliases = [], summary, isLocal } = command;
  const options = { ...command.options, ...(isLocal ? {} : globalOptions), ...helpOption };
  const choices = Object.values(command.arguments).flatMap((spec) => spec.choices ?? []);
  return [name, ...aliases].map((each) => ({ words: each.split(" "), summary, options, choices }));
}

/** First words, each once, with the summary of the first command of that word. */
function firstWords(entries: readonly Entry[]): Map<string, string> {
  const firsts = new Map<string, string>();
  for (const { words, summary } of entries) if (!firsts.has(words[0]!)) firsts.set(words[0]!, summary);
  return firsts;
}

function secondWords(entries: readonly Entry[]): Map<string, string[]> {
  const seconds = new Map<string, string[]>();
  for (const { words } of entries)
    if (words[1]) seconds.set(words[0]!, [...(seconds.get(words[0]!) ?? []), words[1]]);
  return seconds;
}

function flagsOf(options: Options): string[] {
  return Object.entries(options).flatMap(([name, { short }]) => [
    `--${name}`,
    ...(short ? [`-${short}`] : []),
  ]);
}

/** Options whose next word is their value: it is no command. */
function takingValues(options: Options): string[] {
  return flagsOf(Object.fromEntries(Object.entries(options).filter(([, { value }]) => value !== undefined)));
}

function renderBash(entries: readonly Entry[]): string {
  const seconds = [...secondWords(entries)].map(
    ([first, words]) => `    ${first}) words="${words.join(" ")}" ;;`,
  );
  const cases = entries.map(
    ({ words, options, choices }) =>
      `    "${words.join(" ")}") words="${[...choices, ...flagsOf(options)].join(" ")}" ;;`,
  );
  return `# Completes torus in bash: eval "$(torus completion bash)"
_torus() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words="" first="" second="" at
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "\${COMP_WORDS[at]}" in
      ${takingValues(globalOptions).join("|")}) ((at++)) ;;
      -*) ;;
      *) if [[ -z "$first" ]]; then first="\${COMP_WORDS[at]}"; elif [[ -z "$second" ]]; then second="\${COMP_WORDS[at]}"; fi ;;
    esac
  done
  case "$first" in
    "") words="${[...firstWords(entries).keys()].join(" ")}" ;;
${seconds.join("\n")}
  esac
  case "$first" in
${casesOfFamilies(entries)}
  esac
  case "$first" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _torus torus
`;
}

/** Commands of two words are looked up by both. */
function casesOfFamilies(entries: readonly Entry[]): string {
  const families = [...secondWords(entries).keys()];
  return families.map((first) => `    ${first}) [[ -n "$second" ]] && first="$first $second" ;;`).join("\n");
}

function renderZsh(entries: readonly Entry[]): string {
  const commands = [...firstWords(entries)].map(([word, summary]) => `    ${quoteZsh(`${word}:${summary}`)}`);
  const seconds = [...secondWords(entries)].map(
    ([first, words]) =>
      `    ${first}) (( CURRENT == 3 )) && { compadd ${words.join(" ")}; return; }; key="$words[2] $words[3]" ;;`,
  );
  const cases = entries.map(({ words, options, choices }) => {
    const flags = Object.entries(options).map(([name, { description }]) =>
      quoteZsh(`--${name}:${description}`),
    );
    const fixed = choices.length > 0 ? `compadd ${choices.join(" ")}; ` : "";
    return `    "${words.join(" ")}") ${fixed}flags=(${flags.join(" ")}) ;;`;
  });
  return `#compdef torus
# Completes torus in zsh: put it into a folder of fpath, as _torus
_torus() {
  local -a commands flags
  local key="$words[2]"
  commands=(
${commands.join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case "$words[2]" in
${seconds.join("\n")}
  esac
  case "$key" in
${cases.join("\n")}
  esac
  if [[ "$PREFIX" == -* ]]; then
    _describe option flags
  else
    _files
  fi
}
if [[ "$funcstack[1]" == _torus ]]; then _torus "$@"; else compdef _torus torus; fi
`;
}

/** A colon parts word and description. */
function quoteZsh(text: string): string {
  const [word = "", ...rest] = text.split(":");
  return quote(`${word}:${rest.join("\\:")}`);
}

function renderFish(entries: readonly Entry[]): string {
  const firsts = [...firstWords(entries)].map(
    ([word, summary]) => `complete -c torus -n __fish_use_subcommand -f -a ${word} -d ${quote(summary)}`,
  );
  const seconds = [...secondWords(entries)].map(
    ([first, words]) =>
      `complete -c torus -n '__fish_seen_subcommand_from ${first}' -f -a '${words.join(" ")}'`,
  );
  const options = entries.flatMap(({ words, options, choices }) => {
    const condition = words.map((word) => `__fish_seen_subcommand_from ${word}`).join("; and ");
    const line = `complete -c torus -n ${quote(condition)}`;
    const fixed = choices.length > 0 ? [`${line} -f -a ${quote(choices.join(" "))}`] : [];
    const flags = Object.entries(options).map(([name, { short, value, description }]) =>
      [line, `-l ${name}`, short && `-s ${short}`, value && "-r", `-d ${quote(description)}`]
        .filter(Boolean)
        .join(" "),
    );
    return [...fixed, ...flags];
  });
  return ["# Completes torus in fish", ...firsts, ...seconds, ...options, ""].join("\n");
}

/** For zsh and fish alike: nothing within is expanded. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
