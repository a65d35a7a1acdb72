// Stand-in for Warp 10: updates, and an interpreter of the WarpScript words in use.

interface Series {
  readonly c: string;
  readonly l: Readonly<Record<string, string>>;
  readonly a: object;
  readonly v: readonly (readonly [micros: number, value: number])[];
}

export interface Warp10StandIn {
  readonly url: string;
  /** Scripts so far. */
  readonly scripts: string[];
  /** Classes there are. */
  classes(): string[];
  stop(): void;
}

export const readToken = "read-token";
export const writeToken = "write-token";

type Stack = unknown[];
const mark = Symbol("mark");

/** Starts it on a free port, empty. */
export function startWarp10(): Warp10StandIn {
  const stored = new Map<string, { c: string; l: Record<string, string>; values: Map<number, number> }>();
  const scripts: string[] = [];

  function update(body: string): void {
    for (const line of body.split("\n").filter((text) => text !== "")) {
      const match = /^(-?\d+)\/\/ ([^{\s]+)\{([^}\s]*)\} (-?\d+\.\d+|-?\d+(?:\.\d+)?e[+-]\d+)$/.exec(line);
      if (!match) throw new Error(`bad line ${line}`);
      const [, micros, name, labels, value] = match as unknown as [string, string, string, string, string];
      const pairs = labels
        .split(",")
        .filter(Boolean)
        .map((pair) => pair.split("=").map(decodeURIComponent));
      const l = Object.fromEntries(pairs) as Record<string, string>;
      const c = decodeURIComponent(name);
      const key = JSON.stringify([c, Object.entries(l).sort()]);
      const series = stored.get(key) ?? { c, l, values: new Map() };
      stored.set(key, series);
      series.values.set(Number(micros), Number(value));
    }
  }

  function fetchSeries([token, name, labels, end, span]: [
    string,
    string,
    Map<string, string>,
    number,
    number,
  ]): Series[] {
    if (token !== readToken) throw new Error("Invalid token.");
    if (![...labels.values()].every((text) => text.startsWith("=")))
      throw new Error("the stand-in knows exact selectors of labels only");
    return [...stored.values()]
      .filter(
        ({ c, l }) => isOfClass(c, name) && [...labels].every(([label, value]) => `=${l[label]}` === value),
      )
      .map(({ c, l, values }) => ({
        c,
        l: { ...l, ".app": "test" },
        a: {},
        v: cutOff(
          [...values].filter(([at]) => at <= end).sort(([a], [b]) => b - a),
          { end, span },
        ),
      }))
      .filter(({ v }) => v.length > 0);
  }

  /** Answers a line per series that is gone. */
  function remove(params: URLSearchParams): string {
    const match = /^([^{]+)\{\}$/.exec(params.get("selector") ?? "");
    if (!match || !params.has("deleteall")) throw new Error("bad selector, or no span");
    const name = decodeURIComponent(match[1]!);
    const gone = [...stored].filter(([, { c }]) => isOfClass(c, name));
    for (const [key] of gone) stored.delete(key);
    return gone.map(([, { c }]) => `${encodeURIComponent(c)}{.app=test}{}\n`).join("");
  }

  /** Word by word; what is percent-encoded in a text is decoded once the text stands alone. */
  function run(script: string): Stack {
    const stack: Stack = [];
    const variables = new Map<string, unknown>();
    const collect = () => stack.splice(stack.lastIndexOf(mark)).slice(1);
    for (const word of script.split(/\s+/).filter(Boolean)) {
      if (word === "[" || word === "{") stack.push(mark);
      else if (word === "]") stack.push(collect());
      else if (word === "}") {
        const flat = collect() as string[];
        stack.push(new Map(flat.flatMap((key, i) => (i % 2 === 0 ? [[key, flat[i + 1]!] as const] : []))));
      } else if (/^'[^']*'$/.test(word)) stack.push(decodeURIComponent(word.slice(1, -1)));
      else if (/^-?\d+$/.test(word)) stack.push(Number(word));
      else if (word === "MAXLONG") stack.push(Number.MAX_SAFE_INTEGER);
      else if (word.startsWith("$")) stack.push(variables.get(word.slice(1)));
      else if (word === "STORE") {
        const [value, name] = stack.splice(-2);
        variables.set(name as string, value);
      } else if (word === "FETCH") stack.push(fetchSeries(stack.pop() as Parameters<typeof fetchSeries>[0]));
      else if (word === "BUCKETIZE") stack.push(bucketize(stack.pop() as Parameters<typeof bucketize>[0]));
      else if (/^bucketizer\.(count|sum|min|max)$/.test(word)) stack.push(word.slice("bucketizer.".length));
      else throw new Error(`Unknown word '${word}'`);
    }
    return stack;
  }

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      const body = await request.text();
      const call = `${request.method} ${pathname}`;
      const known = parameters[call];
      if (!known) return new Response(null, { status: 404 });
      if ([...searchParams.keys()].some((name) => !known.includes(name)))
        return new Response(null, { status: 400 });
      try {
        if (call !== "POST /api/v0/exec") {
          if (request.headers.get("x-warp10-token") !== writeToken)
            return new Response(null, { status: 403 });
          if (request.method === "GET") return new Response(remove(searchParams));
          update(body);
          return new Response(null);
        }
        scripts.push(body);
        return Response.json(run(body));
      } catch (error) {
        const message = (error as Error).message.replace(/[^\x20-\x7e]/g, "?");
        return new Response(null, { status: 500, headers: { "X-Warp10-Error-Message": message } });
      }
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    scripts,
    classes: () => [...new Set([...stored.values()].map(({ c }) => c))].sort(),
    stop: () => void server.stop(true),
  };
}

/** What each call may be asked with; anything else is refused. */
const parameters: Readonly<Record<string, readonly string[]>> = {
  "POST /api/v0/exec": [],
  "POST /api/v0/update": [],
  "GET /api/v0/delete": ["selector", "deleteall"],
};

/** `=name` is that class, `~pattern` every class that is like it as a whole. */
function isOfClass(name: string, selector: string): boolean {
  if (selector.startsWith("=")) return selector === `=${name}`;
  const [, pattern] = /^~\(\?s\)(.*)$/s.exec(selector) ?? [];
  if (pattern === undefined) throw new Error(`the stand-in knows no selector such as ${selector}`);
  return new RegExp(`^(?:${pattern})$`, "s").test(name);
}

/** A span, or the newest ones where it is negative. */
function cutOff(
  values: [number, number][],
  { end, span }: { readonly end: number; readonly span: number },
): [number, number][] {
  return span < 0 ? values.slice(0, -span) : values.filter(([at]) => at > end - span);
}

const bucketizers: Readonly<Record<string, (values: readonly number[]) => number>> = {
  count: (values) => values.length,
  sum: (values) => values.reduce((a, b) => a + b, 0),
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values),
};

/** Buckets end at `last`, `last - span`, ...; each holds what lies after the end of the one before it. */
function bucketize([list, name, last, span, count]: [Series[], string, number, number, number]): Series[] {
  return list.map((series) => {
    const groups = Map.groupBy(series.v, ([at]) => Math.floor((last - at) / span));
    const kept = [...groups].filter(([index]) => index >= 0 && index < count);
    const v = kept.map(
      ([index, points]) =>
        [last - index * span, bucketizers[name]!(points.map(([, value]) => value))] as const,
    );
    return { ...series, v };
  });
}
