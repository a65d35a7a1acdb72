// Instructions of a Dockerfile.

export interface Instruction {
  readonly word: string;
  readonly value: string;
}

/** Instructions in their order, comments left out; each is on one line. */
export function readDockerfile(text: string): Instruction[] {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return lines.map((line) => {
    const [word = "", ...rest] = line.split(" ");
    return { word, value: rest.join(" ") };
  });
}

/** Value of the last instruction with a word. */
export function lastOf(instructions: readonly Instruction[], word: string): string | undefined {
  return instructions.findLast((instruction) => instruction.word === word)?.value;
}

/** Variables that the image sets. */
export function variablesOf(instructions: readonly Instruction[]): Record<string, string> {
  const given = instructions.filter(({ word }) => word === "ENV").map(({ value }) => value);
  return Object.fromEntries(
    given.map((text) => [text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)]),
  );
}
