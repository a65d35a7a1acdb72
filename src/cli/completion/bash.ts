// The completion script for bash.
import {
  choosingFlags,
  type Entry,
  firstWords,
  flagsOf,
  leadingOptions,
  secondWords,
  takingValues,
} from "./entries.ts";

/** Without a word to offer bash completes files. */
export function renderBash(entries: readonly Entry[]): string {
  const list = (words: readonly string[]) => `"${words.join(" ")}"`;
  const cases = entries.map(({ words, options, choices }) => {
    const sets = [`words=${list(choices)}`, `flags=${list(flagsOf(options))}`];
    return `    ${list(words)}) ${sets.join("; ")}; taking=${list(takingValues(options))} ;;`;
  });
  const values = entries.flatMap(({ words, options }) =>
    choosingFlags(options).map(
      ({ flag, choices }) => `      ${list([...words, flag])}) words="${choices}" ;;`,
    ),
  );
  return `# Completes torus in bash: eval "$(torus completion bash)"
_torus() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}"
  local words="" flags=${list(flagsOf(leadingOptions))} taking=${list(takingValues(leadingOptions))}
  local first="" second="" at
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "\${COMP_WORDS[at]}" in
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
  if [[ " $taking " == *" $previous "* ]]; then
    words="" flags=""
    case "$first $previous" in
${values.join("\n")}
    esac
  fi
  [[ "$current" == -* ]] && words="$flags"
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _torus torus
`;
}

/** Commands of two words are looked up by both. */
function casesOfFamilies(entries: readonly Entry[]): string {
  return [...secondWords(entries)]
    .map(
      ([first, words]) =>
        `    ${first}) if [[ -n "$second" ]]; then first="$first $second"; else words="${words.join(" ")}"; fi ;;`,
    )
    .join("\n");
}
