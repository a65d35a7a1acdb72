// Frames of server-sent events: cut anywhere, with comments, several lines of data, and without an end.
import { expect, test } from "bun:test";
import { createFrameParser } from "../../../src/core/formats/event-frames.ts";

const stream = [
  "id: r.1\nevent: ready\ndata: {}\n\n",
  ": beat\n\n",
  'id: r.2\nevent: model\ndata: {"model": "a: b"}\n\n',
  "data: one\ndata: two\n\n",
].join("");
const frames = [
  { id: "r.1", event: "ready", data: "{}" },
  { id: "r.2", event: "model", data: '{"model": "a: b"}' },
  { event: "message", data: "one\ntwo" },
];

test("a whole stream", () => expect(createFrameParser()(stream)).toEqual(frames));

test("pieces of every length give the same frames", () => {
  for (let size = 1; size < stream.length; size++) {
    const parse = createFrameParser();
    const found = [];
    for (let at = 0; at < stream.length; at += size) found.push(...parse(stream.slice(at, at + size)));
    expect(found).toEqual(frames);
  }
});

test("an unfinished frame waits for its end", () => {
  const parse = createFrameParser();
  expect(parse("event: live\ndata: 1\n")).toEqual([]);
  expect(parse("\n")).toEqual([{ event: "live", data: "1" }]);
});
