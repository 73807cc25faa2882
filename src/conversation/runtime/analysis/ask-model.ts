import type { Charge } from "../budget/charge.ts";
import { bytesOf } from "../budget/request-size.ts";
import { type Cut, type Model, ModelFailed, type ModelRequest, type ModelUsage } from "../models/model.ts";

export interface Answered {
  text: string;
  cut: Cut | null;
  usage: ModelUsage | null;
}

/** The longest answer that is read, bytes: far more than the most tokens of an answer. */
const MAX_ANSWER_BYTES = 200_000;

/** Returns a model's complete answer and reports its cost with `charge`. @throws ModelFailed, or the signal's reason */
export async function askModel(
  model: Model,
  request: Omit<ModelRequest, "signal">,
  { charge, signal }: { charge: Charge; signal: AbortSignal },
): Promise<Answered> {
  const answered: Answered = { text: "", cut: null, usage: null };
  try {
    for await (const part of model.answer(Object.assign({}, request, { signal, onInput: charge.read }))) {
      if (part.type === "text") {
        charge.streamed(bytesOf(part.text));
        answered.text += part.text;
        if (answered.text.length > MAX_ANSWER_BYTES) throw new ModelFailed(`${model.name}: the answer does not end`);
      } else if (part.type === "cut") answered.cut = part.by;
      else if (part.type === "usage") {
        answered.usage = part;
        charge.reported(part.input_tokens, part.output_tokens);
      }
    }
    charge.complete();
    return answered;
  } catch (error) {
    if (error instanceof ModelFailed && error.wasRefused) charge.refused();
    throw error;
  } finally {
    charge.end();
  }
}
