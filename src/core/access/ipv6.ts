// IPv6 addresses as the numbers they are made of.

/** The eight groups of an IPv6 address; undefined where it is none. */
export function readGroups(text: string): number[] | undefined {
  if (!URL.canParse(`http://[${text}]`)) return undefined;
  const [head = "", tail] = new URL(`http://[${text}]`).hostname.slice(1, -1).split("::");
  const read = (part: string) =>
    part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16));
  if (tail === undefined) return read(head);
  const [before, after] = [read(head), read(tail)];
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
}
