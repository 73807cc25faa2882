/* The stream events that a model's server sends. The stand-in uses them, and so do tests without a server. */

/** A step of the stand-in's answer. */
export type Step =
  | { say: string }
  | { call: { id: string; name: string; arguments: object | string } }
  /** Raw bytes, for an invalid stream. */
  | { raw: string };

const USAGE = { input: 12, output: 7 };

function event(data: object | string, name?: string): string {
  const line = `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
  return name === undefined ? line : `event: ${name}\n${line}`;
}

/** The reason why a stand-in's answer is cut off. */
export type StandInCut = "length" | "content_filter";

/** A stream of one protocol: its opening frames, the frames of each step, and its closing frames. */
export interface Frames {
  open: string[];
  step(step: Step): string[];
  close: string[];
}

/** Returns the frames of a chat completion as OpenAI streams it. */
export function openaiFrames(cut?: StandInCut): Frames {
  let calls = 0;
  const chunk = (delta: object, finish_reason: string | null = null) =>
    event({ id: "chatcmpl-1", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] });
  return {
    open: [chunk({ role: "assistant", content: "" })],
    step(step) {
      if ("raw" in step) return [step.raw];
      if ("say" in step) return [chunk({ content: step.say })];
      const index = calls++;
      const { id, name } = step.call;
      const [first, rest] = halves(step.call.arguments);
      return [
        chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
        chunk({ tool_calls: [{ index, function: { arguments: first } }] }),
        chunk({ tool_calls: [{ index, function: { arguments: rest } }] }),
      ];
    },
    get close() {
      const usage = { prompt_tokens: USAGE.input, completion_tokens: USAGE.output };
      return [chunk({}, cut ?? (calls > 0 ? "tool_calls" : "stop")), event({ choices: [], usage }), event("[DONE]")];
    },
  };
}

/** Returns the frames of a message as Anthropic streams it. */
export function anthropicFrames(cut?: StandInCut): Frames {
  let index = 0;
  let text = false;
  let calls = 0;
  const typedEvent = (type: string, fields: object = {}) => event({ type, ...fields }, type);
  const endText = () => {
    if (!text) return [];
    text = false;
    return [typedEvent("content_block_stop", { index: index++ })];
  };
  return {
    open: [
      typedEvent("message_start", {
        message: {
          id: "msg_1",
          type: "message",
          role: "assistant",
          content: [],
          usage: { input_tokens: USAGE.input, output_tokens: 1 },
        },
      }),
      typedEvent("ping"),
    ],
    step(step) {
      if ("raw" in step) return [step.raw];
      if ("say" in step) {
        const begin = text
          ? []
          : [typedEvent("content_block_start", { index, content_block: { type: "text", text: "" } })];
        text = true;
        return [...begin, typedEvent("content_block_delta", { index, delta: { type: "text_delta", text: step.say } })];
      }
      calls++;
      const { id, name } = step.call;
      const ended = endText();
      const at = index++;
      const pieces = halves(step.call.arguments).map((partial_json) =>
        typedEvent("content_block_delta", { index: at, delta: { type: "input_json_delta", partial_json } }),
      );
      const content_block = { type: "tool_use", id, name, input: {} };
      const begin = typedEvent("content_block_start", { index: at, content_block });
      return [...ended, begin, ...pieces, typedEvent("content_block_stop", { index: at })];
    },
    get close() {
      const cuts = { length: "max_tokens", content_filter: "refusal" };
      const stop_reason = cut ? cuts[cut] : calls > 0 ? "tool_use" : "end_turn";
      const delta = { stop_reason, stop_sequence: null };
      return [
        ...endText(),
        typedEvent("message_delta", { delta, usage: { output_tokens: USAGE.output } }),
        typedEvent("message_stop"),
      ];
    },
  };
}

/** Returns the complete stream of these steps. */
export function framesOf(frames: Frames, steps: Step[]): string[] {
  return [...frames.open, ...steps.flatMap((step) => frames.step(step)), ...frames.close];
}

function halves(given: object | string): [string, string] {
  const text = typeof given === "string" ? given : JSON.stringify(given);
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}
