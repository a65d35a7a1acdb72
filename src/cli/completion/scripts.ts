// Completion scripts for shells: each asks the hidden command __complete, and completes file names without an answer.

const bash = `# Completes torus in bash: eval "$(torus completion bash)"
_torus() {
  local offer
  COMPREPLY=()
  while IFS= read -r offer; do
    printf -v offer %q "\${offer%%$'\\t'*}"
    COMPREPLY+=("$offer")
  done < <("\${COMP_WORDS[0]}" __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _torus torus
`;

const zsh = `#compdef torus
# Completes torus in zsh: put it into a folder of fpath, as _torus
_torus() {
  local -a offers
  local offer tab=$'\\t'
  for offer in \${(f)"$("$words[1]" __complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)"}; do
    offer=\${offer//:/\\\\:}
    offers+=("\${offer/$tab/:}")
  done
  if (( \${#offers} )); then _describe torus offers; else _files; fi
}
if [[ "$funcstack[1]" == _torus ]]; then _torus "$@"; else compdef _torus torus; fi
`;

const fish = `# Completes torus in fish
function __torus_offer --description 'Ask torus for the words that may stand at the cursor'
    set -l given (commandline -opc)
    set -l current (commandline -ct)
    set -g __torus_offers ($given[1] __complete -- $given[2..-1] "$current" 2>/dev/null)
    test (count $__torus_offers) -gt 0
end
complete -c torus -n __torus_offer -f -a '$__torus_offers'
`;

/** Scripts by shell. */
export const scripts = { bash, zsh, fish } as const;
