/**
 * A model server in a separate process, so that other work does not affect its measurement. The first word of each
 * answer is the time from the request to that word, ms.
 */
import { startStandInModel } from "../../../src/dev/stand-in-model.ts";
import { BETWEEN_WORDS_MS, FIRST_WORD_MS } from "./talk.ts";

const WORDS = "so we would be glad to help you with that today.".split(" ");

const model = await startStandInModel();
model.answers(({ received_at }) => {
  // Otherwise the stand-in's memory of requests would grow.
  model.requests.length = 0;
  const first = {
    get say() {
      return `${(performance.timeOrigin + performance.now() - received_at).toFixed(3)} `;
    },
  };
  const steps = [first, ...WORDS.map((word) => ({ say: `${word} ` }))];
  return { steps, first_ms: FIRST_WORD_MS, between_ms: BETWEEN_WORDS_MS };
});
process.once("disconnect", () => process.exit());
process.send?.(model.openai_url);
