/** Texts for agents without a language model. */
export const noModel = {
  none: "No language model is connected.",
  notThis: (model: string) => `No language model answers for ${model}.`,
  scripted: "A scripted agent answers from your FAQs, and real calls are refused.",
  connect: "Connect",
  or: "or",
  whoConnects: "An owner, admin or builder of the account can connect one.",
  where: "under Integrations, or set LLM_BASE_URL.",
};
