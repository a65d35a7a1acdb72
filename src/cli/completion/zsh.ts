// Completion script for zsh.
import type { Options } from "../../core/formats/command-line.ts";
import {
  connectionFlags,
  type Entry,
  firstWords,
  leadingOptions,
  quote,
  secondWords,
  takingValues,
  valueCases,
} from "./entries.ts";

/** Renders the script: words with descriptions, and file names where an argument or value may be one. */
export function renderZsh(entries: readonly Entry[]): string {
  const commands = [...firstWords(entries)].map(
    ([word, summary]) => `    ${quoteDescribed(`${word}:${summary}`)}`,
  );
  const seconds = [...secondWords(entries)].map(
    ([first, seconds]) =>
      `    ${first}) [[ -z "$second" ]] && { compadd ${seconds.join(" ")}; return; }; key="$first $second" ;;`,
  );
  const cases = entries.map(({ words, options, choices, kinds }) => {
    const sets = [`flags=(${describeFlags(options)})`, `taking=(${takingValues(options).join(" ")})`];
    const named = kinds.length > 0 ? `; kinds=(${kinds.join(" ")})` : "";
    return `    "${words.join(" ")}") ${sets.join("; ")}; offered=(${choices.join(" ")})${named} ;;`;
  });
  const values = valueCases(entries, {
    onChoices: (choices) => `compadd ${choices}; return`,
    onNames: (kind) => `_torus_names ${kind}; return`,
  });
  return `#compdef torus
# Completes torus in zsh: put it into a folder of fpath, as _torus
_torus_names() {
  local -a names
  names=(\${(f)"$("$words[1]" __complete "$1" "$PREFIX" "$plain[2]" "\${server[@]}" 2>/dev/null)"})
  compadd -a names
}
_torus() {
  local -a commands flags taking offered kinds plain server
  local first="" second="" key="" kind=""
  integer at
  commands=(
${commands.join("\n")}
  )
  flags=(${describeFlags(leadingOptions)})
  taking=(${takingValues(leadingOptions).join(" ")})
  for (( at = 2; at < CURRENT; at++ )); do
    case "$words[at]" in
      ${connectionFlags().join("|")}) server+=("$words[at]" "$words[at+1]"); (( at++ )) ;;
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
  for (( at = 2; at < CURRENT; at++ )); do
    if (( \${taking[(Ie)$words[at]]} )); then (( at++ ))
    elif [[ "$words[at]" != -* ]]; then plain+=("$words[at]"); fi
  done
  [[ -n "$first" ]] && kind="$kinds[\${#plain}]"
  if (( \${taking[(Ie)$words[CURRENT-1]]} )); then
    case "$key $words[CURRENT-1]" in
${values.join("\n")}
    esac
    _files
  elif [[ "$PREFIX" == -* ]]; then
    _describe option flags
  elif [[ -z "$first" ]]; then
    _describe command commands
  elif [[ -n "$kind" && "$kind" != "-" ]]; then
    _torus_names "$kind"
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

/** Quotes `word:description`; colons in the description are escaped. */
function quoteDescribed(text: string): string {
  const [word = "", ...rest] = text.split(":");
  return quote(`${word}:${rest.join("\\:")}`);
}
