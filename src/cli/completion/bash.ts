// Completion script for bash.
import {
  connectionFlags,
  type Entry,
  firstWords,
  flagsOf,
  leadingOptions,
  secondWords,
  takingValues,
  valueCases,
} from "./entries.ts";

/** Renders the script; without suggestions, bash completes file names. */
export function renderBash(entries: readonly Entry[]): string {
  const list = (words: readonly string[]) => `"${words.join(" ")}"`;
  const cases = entries.map(({ words, options, choices, kinds }) => {
    const sets = [`words=${list(choices)}`, `flags=${list(flagsOf(options))}`];
    const named = kinds.length > 0 ? `; kinds=(${kinds.join(" ")})` : "";
    return `    ${list(words)}) ${sets.join("; ")}; taking=${list(takingValues(options))}${named} ;;`;
  });
  const values = valueCases(entries, {
    onChoices: (choices) => `words="${choices}"`,
    onNames: (kind) => `kind=${kind}`,
  });
  return `# Completes torus in bash: eval "$(torus completion bash)"
_torus() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}"
  local words="" flags=${list(flagsOf(leadingOptions))} taking=${list(takingValues(leadingOptions))}
  local first="" second="" key="" kind="" at
  local kinds=() plain=() server=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "\${COMP_WORDS[at]}" in
      ${connectionFlags().join("|")}) server+=("\${COMP_WORDS[at]}" "\${COMP_WORDS[at + 1]}"); ((at++)) ;;
      ${takingValues(leadingOptions).join("|")}) ((at++)) ;;
      -*) ;;
      *) if [[ -z "$first" ]]; then first="\${COMP_WORDS[at]}"; elif [[ -z "$second" ]]; then second="\${COMP_WORDS[at]}"; fi ;;
    esac
  done
  case "$first" in
    "") words=${list([...firstWords(entries).keys()])} ;;
${casesOfFamilies(entries)}
  esac
  case "$first" in
${cases.join("\n")}
  esac
  for ((at = 1; at < COMP_CWORD; at++)); do
    if [[ " $taking " == *" \${COMP_WORDS[at]} "* ]]; then ((at++));
    elif [[ "\${COMP_WORDS[at]}" != -* ]]; then plain+=("\${COMP_WORDS[at]}"); fi
  done
  [[ -n "$first" ]] && kind="\${kinds[\${#plain[@]} - 1]}"
  if [[ " $taking " == *" $previous "* ]]; then
    words="" flags="" kind=""
    case "$first $previous" in
${values.join("\n")}
    esac
  elif [[ "$current" == -* ]]; then
    words="$flags" kind=""
  fi
  if [[ -n "$kind" && "$kind" != "-" ]]; then
    local IFS=$'\\n'
    COMPREPLY=($("\${COMP_WORDS[0]}" __complete "$kind" "$current" "\${plain[1]}" "\${server[@]}" 2>/dev/null))
    for at in "\${!COMPREPLY[@]}"; do COMPREPLY[at]=$(printf '%q' "\${COMPREPLY[at]}"); done
    return
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _torus torus
`;
}

/** Cases that join the words of two-word commands. */
function casesOfFamilies(entries: readonly Entry[]): string {
  return [...secondWords(entries)]
    .map(
      ([first, words]) =>
        `    ${first}) if [[ -n "$second" ]]; then first="$first $second"; else words="${words.join(" ")}"; fi ;;`,
    )
    .join("\n");
}
