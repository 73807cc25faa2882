/** Texts that say whether callers and visitors reach an agent, by channel. */
export const inService = {
  label: "Where this agent is in service",
  /** The state of an agent in one word. */
  states: {
    in_service: "In service",
    out_of_service: "Not in service",
    not_published: "Not published",
    draft: "Draft",
    archived: "Archived",
  },
  channels: { phone: "Phone", campaigns: "Campaigns", widget: "Widget" },
  ready: "in service",
  reasons: {
    archived: "archived",
    draft: "draft",
    not_published: "not published",
    no_number: "no number",
    no_model: "no language model",
    no_runtime: "no runtime",
    widget_disabled: "widget off",
    no_key: "no widget key",
    sign_in_required: "signed-in visitors only",
  },
  /** Shown on a number and a widget key, under a heading with the consequence. Other texts come from the service. */
  remedies: {
    archived: "The agent is archived. Change its status.",
    draft: "The agent is a draft. Put it into service.",
    not_published: "The agent was never published. Publish it.",
  } as Partial<Record<string, string>>,
  callersGetNoAnswer: "Callers aren't answered",
  visitorsGetNoAnswer: "Visitors aren't answered",
  openAgent: "Open agent",
  putIntoService: "Put into service",
};
