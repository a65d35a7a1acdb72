// Completion script for fish.
import type { Options } from "../../core/formats/command-line.ts";
import {
  type Entry,
  firstWords,
  leadingOptions,
  namingFlags,
  quote,
  secondWords,
  takingValues,
} from "./entries.ts";

/** Renders the script; without a matching line, fish completes file names. */
export function renderFish(entries: readonly Entry[]): string {
  const firsts = [...firstWords(entries)].map(
    ([word, summary]) => `complete -c torus -n __torus_ends -f -a ${word} -d ${quote(summary)}`,
  );
  const seconds = [...secondWords(entries)].map(
    ([first, words]) => `complete -c torus -n '__torus_ends ${first}' -f -a ${quote(words.join(" "))}`,
  );
  const options = entries.flatMap(({ words, options, choices, kinds }) => {
    const line = `complete -c torus -n '__torus_begins ${words.join(" ")}'`;
    const fixed = choices.length > 0 ? [`${line} -f -a ${quote(choices.join(" "))}`] : [];
    const named =
      kinds.length > 0 ? [`${line} -f -a '(__torus_names ${words.length} ${kinds.join(" ")})'`] : [];
    return [...fixed, ...named, ...renderOptions(line, options)];
  });
  const leading = renderOptions("complete -c torus -n __torus_ends", leadingOptions);
  return [functions, ...firsts, ...seconds, ...leading, ...options, ""].join("\n");
}

function renderOptions(line: string, options: Options): string[] {
  return Object.entries(options).map(([name, spec]) => {
    const { short, value, choices, description } = spec;
    const kind = namingFlags({ [name]: spec })[0]?.kind;
    const words =
      choices?.join(" ") ?? (kind && `(torus __complete ${kind} "" (__torus_words)[2] 2>/dev/null)`);
    return [
      line,
      `-l ${name}`,
      short && `-s ${short}`,
      value && (words ? `-x -a ${quote(words)}` : "-r"),
      `-d ${quote(description)}`,
    ]
      .filter(Boolean)
      .join(" ");
  });
}

const functions = `# Completes torus in fish
function __torus_words --description 'Words before the cursor without options that may stand before a command'
    set -l given (commandline -opc)
    set -l skip 0
    for word in $given[2..-1]
        if test $skip = 1
            set skip 0
            continue
        end
        switch $word
            case ${takingValues(leadingOptions).join(" ")}
                set skip 1
            case '-*'
            case '*'
                echo $word
        end
    end
end
function __torus_ends --description 'Whether the words are these and no more'
    set -l given (__torus_words)
    test "$given" = "$argv"
end
function __torus_begins --description 'Whether the words begin with these'
    set -l given (__torus_words)
    string match -q -- "$argv *" "$given "
end
function __torus_names --description 'Names on the server for the argument that comes next: words of the command, kinds'
    set -l given (__torus_words)
    set -l at (math (count $given) - $argv[1] + 2)
    if test $at -le (count $argv); and test $argv[$at] != -
        torus __complete $argv[$at] (commandline -ct) $given[2] 2>/dev/null
    end
end`;
