import { describe, expect, it } from "vitest";
import { Refusal } from "../../../src/conversation/runtime/protocols/protocol.ts";
import { widgetFrames } from "../../../src/conversation/runtime/protocols/widget.ts";

const message = (chars: number) => widgetFrames.read({ type: "message", text: "x".repeat(chars) });

describe("a message of a visitor or tester", () => {
  it("a visitor's or tester's message of 4,000 characters is accepted", () => {
    expect(message(4_000)).toMatchObject({ type: "words" });
  });

  it("closes the socket with 1009 if it is longer", () => {
    let thrown: unknown = null;
    try {
      message(4_001);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(Refusal);
    expect(thrown).toMatchObject({ code: 1009, message: "a message has at most 4,000 characters" });
  });
});
