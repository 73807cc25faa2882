/**
 * Runs a model server in a separate process, so that other work does not affect its measurement. The first word of each
 * answer is a number: the ms from the request to that word, plus the ms from an earlier request to a tool call.
 */
import { startStandInModel } from "../../../src/dev/stand-in-model.ts";
import { corpus } from "../knowledge/corpus.ts";
import { BETWEEN_WORDS_MS, FIRST_WORD_MS, SAYS } from "./talk.ts";

const WORDS = "so we would be glad to help you with that today.".split(" ");

const { questions } = corpus(200, 300);
/** How long each call of a tool took, ms, by its id. */
const called = new Map<string, number>();

interface Message {
  role: string;
  content?: unknown;
  tool_call_id?: string;
}

const model = await startStandInModel();
model.answers(({ body, received_at }) => {
  // Otherwise the stand-in's memory of requests would grow.
  model.requests.length = 0;
  const took = () => performance.timeOrigin + performance.now() - received_at;
  const last = (body.messages as Message[]).at(-1);
  if (last?.role === "user" && JSON.stringify(last.content).includes(SAYS.lookedUp)) {
    const id = `call_${crypto.randomUUID()}`;
    const question = questions[called.size % questions.length];
    called.set(id, 0);
    const call = { id, name: "search_knowledge", arguments: { query: question?.text ?? "" } };
    const step = {
      get call() {
        called.set(id, called.get(id) || took());
        return call;
      },
    };
    return { steps: [step], first_ms: FIRST_WORD_MS };
  }
  if (last?.role === "tool" && String(last.content).startsWith("Error")) process.send?.("a search failed");
  const before = called.get(last?.tool_call_id ?? "") ?? 0;
  const first = {
    get say() {
      return `${(before + took()).toFixed(3)} `;
    },
  };
  const steps = [first, ...WORDS.map((word) => ({ say: `${word} ` }))];
  return { steps, first_ms: FIRST_WORD_MS, between_ms: BETWEEN_WORDS_MS };
});
process.once("disconnect", () => process.exit());
process.send?.(model.openai_url);
