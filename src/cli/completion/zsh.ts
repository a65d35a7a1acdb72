// The completion script for zsh.
import type { Options } from "../../core/command-line.ts";
import {
  choosingFlags,
  type Entry,
  firstWords,
  leadingOptions,
  quote,
  secondWords,
  takingValues,
} from "./entries.ts";

/** Offers words with what they mean; files where an argument or a value may be one. */
export function renderZsh(entries: readonly Entry[]): string {
  const commands = [...firstWords(entries)].map(
    ([word, summary]) => `    ${quoteDescribed(`${word}:${summary}`)}`,
  );
  const seconds = [...secondWords(entries)].map(
    ([first, seconds]) =>
      `    ${first}) [[ -z "$second" ]] && { compadd ${seconds.join(" ")}; return; }; key="$first $second" ;;`,
  );
  const cases = entries.map(({ words, options, choices }) => {
    const sets = [`flags=(${describeFlags(options)})`, `taking=(${takingValues(options).join(" ")})`];
    return `    "${words.join(" ")}") ${sets.join("; ")}; offered=(${choices.join(" ")}) ;;`;
  });
  const values = entries.flatMap(({ words, options }) =>
    choosingFlags(options).map(
      ({ flag, choices }) => `      "${[...words, flag].join(" ")}") compadd ${choices}; return ;;`,
    ),
  );
  return `#compdef torus
# Completes torus in zsh: put it into a folder of fpath, as _torus
_torus() {
  local -a commands flags taking offered
  local first="" second="" key=""
  integer at
  commands=(
${commands.join("\n")}
  )
  flags=(${describeFlags(leadingOptions)})
  taking=(${takingValues(leadingOptions).join(" ")})
  for (( at = 2; at < CURRENT; at++ )); do
    case "$words[at]" in
      ${takingValues(leadingOptions).join("|")}) (( at++ )) ;;
      -*) ;;
      *) if [[ -z "$first" ]]; then first="$words[at]"; elif [[ -z "$second" ]]; then second="$words[at]"; fi ;;
    esac
  done
  key="$first"
  case "$first" in
${seconds.join("\n")}
  esac
  case "$key" in
${cases.join("\n")}
  esac
  if (( \${taking[(Ie)$words[CURRENT-1]]} )); then
    case "$key $words[CURRENT-1]" in
${values.join("\n")}
    esac
    _files
  elif [[ "$PREFIX" == -* ]]; then
    _describe option flags
  elif [[ -z "$first" ]]; then
    _describe command commands
  elif (( \${#offered} )); then
    compadd -a offered
  else
    _files
  fi
}
if [[ "$funcstack[1]" == _torus ]]; then _torus "$@"; else compdef _torus torus; fi
`;
}

function describeFlags(options: Options): string {
  return Object.entries(options)
    .map(([name, { description }]) => quoteDescribed(`--${name}:${description}`))
    .join(" ");
}

/** A colon parts word and description. */
function quoteDescribed(text: string): string {
  const [word = "", ...rest] = text.split(":");
  return quote(`${word}:${rest.join("\\:")}`);
}
