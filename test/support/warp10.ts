// A stand-in for Warp 10: updates, and a small interpreter of WarpScript for the few words that are in use.

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
    const expected = [name, ...labels.values()];
    if (!expected.every((text) => text.startsWith("=")))
      throw new Error("the stand-in knows exact selectors only");
    return [...stored.values()]
      .filter(
        ({ c, l }) => `=${c}` === name && [...labels].every(([label, value]) => `=${l[label]}` === value),
      )
      .map(({ c, l, values }) => ({
        c,
        l: { ...l, ".app": "test" },
        a: {},
        v: [...values].filter(([at]) => at > end - span && at <= end).sort(([a], [b]) => b - a),
      }))
      .filter(({ v }) => v.length > 0);
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
      const { pathname } = new URL(request.url);
      const body = await request.text();
      try {
        if (pathname === "/api/v0/update") {
          if (request.headers.get("x-warp10-token") !== writeToken)
            return new Response(null, { status: 403 });
          update(body);
          return new Response(null);
        }
        if (pathname !== "/api/v0/exec") return new Response(null, { status: 404 });
        scripts.push(body);
        return Response.json(run(body));
      } catch (error) {
        const message = (error as Error).message.replace(/[^\x20-\x7e]/g, "?");
        return new Response(null, { status: 500, headers: { "X-Warp10-Error-Message": message } });
      }
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, scripts, stop: () => void server.stop(true) };
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
