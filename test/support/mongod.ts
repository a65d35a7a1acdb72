// Stand-in for MongoDB: its wire protocol over TCP, with the commands, conditions and stages in use.
import { BSON } from "mongodb";

// biome-ignore lint/suspicious/noExplicitAny: documents of any shape
type Doc = Record<string, any>;

export interface MongoStandIn {
  readonly addr: string;
  /** Documents of `db.points`. */
  readonly documents: ReadonlyMap<string, Doc>;
  /** Names of the commands so far. */
  readonly commands: string[];
  /** Answered to every command in place of an answer. */
  failure: Doc | undefined;
  stop(): void;
}

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;

/** Starts it on a free port, empty. */
export function startMongo(): MongoStandIn {
  const documents = new Map<string, Doc>();
  const cursors = new Map<bigint, Doc[]>();
  const standIn = { documents, commands: [] as string[], failure: undefined as Doc | undefined };
  let lastCursor = 0n;

  function open(found: Doc[], ns: string): Doc {
    const id = found.length > 101 ? ++lastCursor : 0n;
    if (id) cursors.set(id, found.slice(101));
    return { cursor: { id: BSON.Long.fromBigInt(id), ns, firstBatch: found.slice(0, 101) }, ok: 1 };
  }

  function answer(command: Doc): Doc {
    const name = Object.keys(command)[0]!;
    standIn.commands.push(name);
    const ns = `${command.$db}.${command[name]}`;
    const all = ns === "db.points" ? [...documents.values()] : [];
    if (/^(hello|ismaster)$/i.test(name)) return hello;
    if (standIn.failure) return standIn.failure;
    switch (name) {
      case "find": {
        const found = all.filter((one) => matches(command.filter ?? {}, one));
        const [by, direction] = Object.entries(command.sort ?? {})[0] ?? [];
        if (by) found.sort((a, b) => (Number(read(a, by)) - Number(read(b, by))) * Number(direction));
        return open(
          found.slice(0, command.limit ?? found.length).map((one) => project(one, command.projection)),
          ns,
        );
      }
      case "aggregate":
        return open(command.pipeline.reduce(runStage, all), ns);
      case "getMore": {
        const id = BigInt(String(command.getMore));
        const nextBatch = cursors.get(id) ?? [];
        cursors.delete(id);
        return {
          cursor: { id: BSON.Long.fromNumber(0), ns: `${command.$db}.${command.collection}`, nextBatch },
          ok: 1,
        };
      }
      case "update":
        for (const { q, u, upsert } of command.updates) {
          if (!upsert && !documents.has(q._id)) continue;
          for (const path of Object.keys(u.$set))
            if (path.includes(".") || path.startsWith("$"))
              throw new Error("the stand-in sets plain names only");
          documents.set(q._id, { ...(documents.get(q._id) ?? { _id: q._id }), ...u.$set });
        }
        return { n: command.updates.length, nModified: 0, ok: 1 };
      case "delete": {
        const gone = command.deletes.flatMap(({ q, limit }: Doc) => {
          if (limit !== 0) throw new Error("the stand-in deletes all that match");
          return all.filter((one) => matches(q, one));
        });
        for (const { _id } of gone) documents.delete(_id);
        return { n: gone.length, ok: 1 };
      }
      case "buildInfo":
        return { version: "7.0.14", ok: 1 };
      case "ping":
      case "endSessions":
      case "killCursors":
        return { ok: 1 };
      default:
        return { ok: 0, errmsg: `no such command: '${name}'`, code: 59, codeName: "CommandNotFound" };
    }
  }

  function reply(message: Buffer): Buffer {
    const opCode = message.readInt32LE(12);
    const requestId = message.readInt32LE(4);
    if (opCode === OP_QUERY) {
      const start = message.indexOf(0, 20) + 9;
      const head = Buffer.alloc(20);
      head.writeInt32LE(1, 16);
      return frame(OP_REPLY, requestId, [
        head,
        BSON.serialize(answer(BSON.deserialize(message.subarray(start)))),
      ]);
    }
    if (opCode !== OP_MSG) throw new Error(`unknown operation ${opCode}`);
    let found: Doc;
    try {
      found = answer(readSections(message));
    } catch (error) {
      found = { ok: 0, errmsg: (error as Error).message, code: 2, codeName: "BadValue" };
    }
    return frame(OP_MSG, requestId, [Buffer.alloc(5), BSON.serialize(found)]);
  }

  const listener = Bun.listen<{ pending: Buffer }>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(socket) {
        socket.data = { pending: Buffer.alloc(0) };
      },
      data(socket, bytes) {
        let pending = Buffer.concat([socket.data.pending, bytes]);
        while (pending.length >= 4 && pending.length >= pending.readInt32LE(0)) {
          const size = pending.readInt32LE(0);
          send(socket, reply(Buffer.from(pending.subarray(0, size))));
          pending = pending.subarray(size);
        }
        socket.data.pending = pending;
      },
      drain: (socket) => flush(socket),
    },
  });
  return Object.assign(standIn, {
    addr: `127.0.0.1:${listener.port}`,
    stop: () => listener.stop(true),
  });
}

const hello: Doc = {
  helloOk: true,
  isWritablePrimary: true,
  ismaster: true,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  minWireVersion: 0,
  maxWireVersion: 21,
  logicalSessionTimeoutMinutes: 30,
  ok: 1,
};

interface Peer {
  write(bytes: Uint8Array): number;
}
const unsent = new WeakMap<Peer, Buffer>();

/** A socket may take a part only; the rest goes when it drains. */
function send(socket: Peer, bytes: Buffer): void {
  unsent.set(socket, Buffer.concat([unsent.get(socket) ?? Buffer.alloc(0), bytes]));
  flush(socket);
}

function flush(socket: Peer): void {
  const bytes = unsent.get(socket) ?? Buffer.alloc(0);
  unsent.set(socket, bytes.subarray(Math.max(socket.write(bytes), 0)));
}

function frame(opCode: number, responseTo: number, parts: readonly Uint8Array[]): Buffer {
  const head = Buffer.alloc(16);
  head.writeInt32LE(16 + parts.reduce((sum, part) => sum + part.length, 0), 0);
  head.writeInt32LE(responseTo, 8);
  head.writeInt32LE(opCode, 12);
  return Buffer.concat([head, ...parts]);
}

/** The command; a sequence of documents becomes a list of it. */
function readSections(message: Buffer): Doc {
  let command: Doc = {};
  const lists: Doc = {};
  const read = (at: number) => {
    const size = message.readInt32LE(at);
    return { document: BSON.deserialize(message.subarray(at, at + size)) as Doc, end: at + size };
  };
  for (let at = 20; at < message.length; ) {
    if (message[at] === 0) {
      const { document, end } = read(at + 1);
      [command, at] = [document, end];
      continue;
    }
    const last = at + 1 + message.readInt32LE(at + 1);
    const nameEnd = message.indexOf(0, at + 5);
    const list: Doc[] = [];
    lists[message.toString("utf8", at + 5, nameEnd)] = list;
    for (let next = nameEnd + 1; next < last; ) {
      const { document, end } = read(next);
      list.push(document);
      next = end;
    }
    at = last;
  }
  return { ...command, ...lists };
}

function read(document: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (value, part) => (Object.hasOwn(Object(value), part) ? (value as Doc)[part] : undefined),
      document,
    );
}

const conditions: Readonly<Record<string, (value: unknown, operand: never) => boolean>> = {
  $gte: (value, operand) => typeof value === typeof operand && (value as number) >= operand,
  $lt: (value, operand) => typeof value === typeof operand && (value as number) < operand,
  $ne: (value, operand) => (value ?? null) !== operand,
  $exists: (value, operand) => (value !== undefined) === operand,
  $in: (value, operand: unknown[]) => operand.includes(value),
  $type: (value, operand) => (value instanceof Date ? "date" : typeof value) === operand,
};

function matches(filter: Doc, document: Doc): boolean {
  return Object.entries(filter).every(([path, rule]) => {
    if (path === "$and") return rule.every((one: Doc) => matches(one, document));
    if (path.startsWith("$")) throw new Error(`unknown top level operator: ${path}`);
    if (rule.$regex !== undefined)
      return new RegExp(rule.$regex, `u${rule.$options}`).test(read(document, path) as string);
    return Object.entries(rule).every(([operator, operand]) => {
      const test = conditions[operator];
      if (!test) throw new Error(`unknown operator: ${operator}`);
      return test(read(document, path), operand as never);
    });
  });
}

function evaluate(expression: unknown, document: Doc): unknown {
  if (typeof expression === "string" && expression.startsWith("$"))
    return read(document, expression.slice(1));
  if (typeof expression !== "object" || expression === null || expression instanceof Date) return expression;
  const [operator, operand] = Object.entries(expression)[0]!;
  // A document of expressions.
  if (!operator.startsWith("$"))
    return Object.fromEntries(
      Object.entries(expression).map(([name, one]) => [name, evaluate(one, document)]),
    );
  const values = [operand].flat().map((one) => evaluate(one, document)) as [number, number, number];
  switch (operator) {
    case "$floor":
      return Math.floor(values[0]);
    case "$divide":
      return values[0] / values[1];
    case "$subtract":
      return values[0] - values[1];
    case "$isNumber":
      return typeof values[0] === "number";
    case "$cond":
      return values[0] ? values[1] : values[2];
    case "$convert": {
      const { input, to, onError, onNull } = values[0] as unknown as Doc;
      if (to !== "string") throw new Error(`unknown type: ${to}`);
      if (input === null || input === undefined) return onNull;
      return typeof input === "object" ? onError : String(input);
    }
    default:
      throw new Error(`Unrecognized expression '${operator}'`);
  }
}

const add = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

const accumulators: Readonly<Record<string, (values: readonly number[]) => number | null>> = {
  $sum: add,
  $avg: (values) => (values.length > 0 ? add(values) / values.length : null),
  $min: (values) => (values.length > 0 ? Math.min(...values) : null),
  $max: (values) => (values.length > 0 ? Math.max(...values) : null),
  $stdDevSamp: (values) => {
    const mean = add(values) / values.length;
    return values.length > 1
      ? Math.sqrt(add(values.map((value) => (value - mean) ** 2)) / (values.length - 1))
      : null;
  },
};

/** Adds the computed fields of a projection; which of the others it names makes no difference here. */
function project(document: Doc, projection: Doc = {}): Doc {
  const computed = Object.entries(projection).filter(([, rule]) => typeof rule === "object");
  if (computed.length === 0) return document;
  return {
    ...document,
    ...Object.fromEntries(computed.map(([name, one]) => [name, evaluate(one, document)])),
  };
}

/** Texts in the order of their bytes. */
function compareBy(sort: Doc, a: Doc, b: Doc): number {
  for (const [path, direction] of Object.entries(sort)) {
    const [left, right] = [read(a, path), read(b, path)] as [string, string];
    const isText = typeof left === "string" && typeof right === "string";
    const order = isText
      ? Buffer.compare(Buffer.from(left), Buffer.from(right))
      : left < right
        ? -1
        : Number(left > right);
    if (order !== 0) return order * direction;
  }
  return 0;
}

function runStage(documents: Doc[], stage: Doc): Doc[] {
  if (stage.$match) return documents.filter((one) => matches(stage.$match, one));
  if (stage.$skip) return documents.slice(stage.$skip);
  if (stage.$limit) return documents.slice(0, stage.$limit);
  if (stage.$sort) return documents.toSorted((a, b) => compareBy(stage.$sort, a, b));
  if (!stage.$group) throw new Error(`Unrecognized pipeline stage name: '${Object.keys(stage)[0]}'`);
  const { _id, ...fields } = stage.$group as Doc;
  const groups = Map.groupBy(documents, (one) => JSON.stringify(evaluate(_id, one)));
  return [...groups.values()].map((group) => {
    const totals = Object.entries(fields).map(([name, accumulator]) => {
      const [operator, operand] = Object.entries(accumulator as Doc)[0]!;
      const values = group.map((one) => evaluate(operand, one)).filter((value) => typeof value === "number");
      return [name, accumulators[operator]!(values)] as const;
    });
    return { _id: evaluate(_id, group[0]!), ...Object.fromEntries(totals) };
  });
}
