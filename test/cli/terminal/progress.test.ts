// Progress bar: appearance, and times of output.
import { describe, expect, test } from "bun:test";
import { formatSpan, renderProgress, startProgress } from "../../../src/cli/terminal/progress.ts";

describe("renderProgress", () => {
  test("shows share, note, rate and time left", () => {
    const line = renderProgress({ label: "train", share: 0.25, elapsedMs: 5000, note: "trial 3 of 10" });
    expect(line).toBe("train  ▕██████                  ▏   25 %  trial 3 of 10  5.0 %/s  15 s left");
  });

  test("believes the worker about the time left", () => {
    expect(renderProgress({ label: "train", share: 0.5, elapsedMs: 1000, leftMs: 200_000 })).toEndWith(
      "3:20 min left",
    );
  });

  test("shows the whole time at the end", () => {
    expect(renderProgress({ label: "load", share: 1, elapsedMs: 400 })).toBe(
      `load  ▕${"█".repeat(24)}▏  100 %  250.0 %/s  0.4 s`,
    );
  });

  test("estimates no remaining time at the start", () => {
    expect(renderProgress({ label: "train", share: 0.01, elapsedMs: 900, leftMs: 89_100 })).not.toContain(
      "left",
    );
  });

  test("shows an unknown share", () => {
    expect(renderProgress({ label: "load", elapsedMs: 400 })).toBe(`load  ▕${" ".repeat(24)}▏    ?`);
  });

  test.each([-1, 2, 0, 1 / 3])("keeps its bar whole at %p", (share) => {
    const bar = /▕(.*)▏/.exec(renderProgress({ label: "", share, elapsedMs: 1 }))![1]!;
    expect(bar.length).toBe(24);
  });

  test("is cut to the terminal", () => {
    expect(renderProgress({ label: "a long label", share: 0.5, elapsedMs: 1 }, 20).length).toBe(20);
  });
});

test.each([
  [0, "0.0 s"],
  [9940, "9.9 s"],
  [9960, "10 s"],
  [59_600, "1:00 min"],
  [185_000, "3:05 min"],
  [3_599_600, "1:00 h"],
  [7_800_000, "2:10 h"],
])("%p ms are %p", (ms, text) => expect(formatSpan(ms)).toBe(text));

describe("startProgress", () => {
  function record(isTTY: boolean) {
    const written: string[] = [];
    let at = 1000;
    const line = startProgress("train", {
      write: (text) => written.push(text),
      isTTY,
      columns: 80,
      now: () => at,
    });
    const update = (share: number, elapsedMs: number) => {
      at = 1000 + elapsedMs;
      line.update({ share });
    };
    return { written, line, update };
  }

  test("redraws one line on a terminal", () => {
    const { written, line, update } = record(true);
    for (const share of [0.1, 0.2, 0.3]) update(share, share * 1000);
    line.end();
    expect(written.length).toBe(4);
    for (const text of written.slice(0, 3)) {
      expect(text).toStartWith("\rtrain ");
      expect(text).toEndWith("left\x1b[K");
    }
    expect(written.at(-1)).toBe("\n");
  });

  test("prints a few lines elsewhere, without control characters", () => {
    const { written, line, update } = record(false);
    for (let share = 0; share <= 1; share += 1 / 64) update(share, share * 1000);
    line.end();
    expect(written.length).toBe(5);
    for (const text of written) {
      expect(text).toStartWith("train ");
      expect(text).toEndWith("\n");
      for (const control of ["\r", "\x1b"]) expect(text).not.toContain(control);
    }
  });

  test("prints a line after ten seconds without much progress, and the last state", () => {
    const { written, line, update } = record(false);
    update(0, 0);
    update(0.01, 9000);
    update(0.02, 11_000);
    update(0.03, 12_000);
    line.end();
    expect(written.map((text) => /(\d+) %/.exec(text)![1]!)).toEqual(["0", "2", "3"]);
  });

  test("ends silently where nothing was ever known", () => {
    const { written, line } = record(true);
    line.end();
    expect(written).toEqual([]);
  });
});
