// Programs of packaging: run with a fixed date, time zone and locale, so that equal input gives equal output.

/** Runs a program. @throws Error with what it said where it is missing or fails */
export async function runTool(
  command: readonly [string, ...string[]],
  { releasedAt }: { readonly releasedAt: number },
): Promise<string> {
  if (!Bun.which(command[0])) throw new Error(`${command[0]} is not installed`);
  const child = Bun.spawn([...command], {
    env: { ...process.env, LC_ALL: "C.UTF-8", TZ: "UTC", SOURCE_DATE_EPOCH: String(releasedAt) },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")}: ${errors.trim() || out.trim()}`);
  return out;
}
