/** What is said where no language model answers. */
export const noModel = {
  none: "No language model is connected.",
  notThis: (model: string) => `No language model answers for ${model}.`,
  scripted: "A scripted agent answers from your FAQs, and real calls are refused. Connect",
  or: "or",
  connect: "under Integrations, or set LLM_BASE_URL.",
};
