// Contract of hook kinds: cases that the tests of each kind run.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { HookEvent } from "../../src/core/anomaly/event.ts";
import { checkHook, type HookType, viewHook } from "../../src/hooks/index.ts";
import type { HookContext } from "../../src/hooks/kind.ts";
import type { Outcome } from "../../src/hooks/shared/outcome.ts";
import { deliverEvent, low, makeContext, makeEnd, makeStart } from "./events.ts";

/** What the receiver does from now on. */
export type ReceiverBehaviour = "accept" | "busy" | "refuse" | "hang";

/** A receiver, and a hook that leads to it. */
export interface Subject {
  readonly config: Readonly<Record<string, unknown>>;
  readonly context?: Partial<HookContext>;
  turn(behaviour: ReceiverBehaviour): void | Promise<void>;
  /** Takes the receiver away. */
  down(): void | Promise<void>;
  /** What has arrived, as text. */
  received(): string[] | Promise<string[]>;
  dispose(): void | Promise<void>;
}

export interface Contract {
  readonly kind: HookType;
  /** What tells the subject from others of its kind. */
  readonly variant?: string;
  create(): Promise<Subject> | Subject;
  /** Texts of the configuration that nobody may see. */
  readonly secrets?: readonly string[];
}

/** Runs all cases against one kind. */
export function runContract({ kind, variant, create, secrets = [] }: Contract): void {
  describe(`contract of ${kind}${variant ? ` ${variant}` : ""}`, () => {
    let subject: Subject;
    beforeEach(async () => {
      subject = await create();
    });
    afterEach(() => subject.dispose());

    const deliver = async (event: HookEvent, overrides: Partial<HookContext> = {}): Promise<Outcome> => {
      const { config } = checkHook({ type: kind, name: "h", config: subject.config });
      const outcome = await deliverEvent(
        event,
        { type: kind, config },
        makeContext({ ...subject.context, ...overrides }),
      );
      for (const secret of secrets) expect(JSON.stringify(outcome)).not.toContain(secret);
      return outcome;
    };

    test("a start and its end are sent, and say which model it is", async () => {
      expect(await deliver(makeStart({ model: "load_of_web" }))).toBe("sent");
      expect(await deliver(makeEnd({ model: "load_of_web" }))).toBe("sent");
      const received = await subject.received();
      expect(received).toHaveLength(2);
      for (const text of received) expect(text).toContain("load_of_web");
    });

    test("an end that was closed, without features, is sent", async () => {
      expect(await deliver(makeEnd({ features: {}, closedBy: "the model was deleted" }))).toBe("sent");
    });

    test("a made-up event is marked", async () => {
      expect(await deliver(makeStart({ test: true, features: {} }))).toBe("sent");
      expect((await subject.received()).join()).toMatch(/test/);
    });

    test.each([
      ["x\r\nBcc: evil@example.org", "line breaks"],
      ["{reason} {{model}} {score.__class__} $& $x", "placeholders"],
      ['"; DROP TABLE x; -- `id` $(id)', "quotes"],
      ["<!channel> <http://evil|click> &amp;", "mark-up"],
      ["\u0000\u001b[31m\u2028\ud83d\ude00", "control characters"],
    ])("a feature called %j (%s) is sent like any other", async (name) => {
      expect(await deliver(makeStart({ features: { [name]: low } }))).toBe("sent");
      expect(await subject.received()).toHaveLength(1);
    });

    test("a busy receiver is worth another attempt", async () => {
      await subject.turn("busy");
      expect(await deliver(makeStart())).toEqual({
        retry: expect.stringMatching(/./),
        code: expect.any(String),
      });
    });

    test("so is one that is down", async () => {
      await subject.down();
      expect(await deliver(makeStart())).toEqual({
        retry: expect.stringMatching(/./),
        code: expect.any(String),
      });
    });

    test("one that refuses is not", async () => {
      await subject.turn("refuse");
      expect(await deliver(makeStart())).toEqual({
        reject: expect.stringMatching(/./),
        code: expect.any(String),
      });
    });

    test("one that hangs is left when the signal says so", async () => {
      await subject.turn("hang");
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort(), 50);
      const begunAt = performance.now();
      expect(await deliver(makeStart(), { signal: controller.signal })).toHaveProperty("retry");
      expect(performance.now() - begunAt).toBeLessThan(3000);
      clearTimeout(timer);
    });

    test("its secrets are not shown", () => {
      const hook = checkHook({ type: kind, name: "h", config: subject.config });
      for (const secret of secrets) expect(JSON.stringify(viewHook(hook))).not.toContain(secret);
    });
  });
}
