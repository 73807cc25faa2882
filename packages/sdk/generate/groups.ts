/** A group of methods: what it is about, and each method's operation by its id. */
export interface Group {
  about: string;
  methods: Record<string, string>;
}

/**
 * The methods of the client by the group that has them. What streams, uploads or fixes a parameter is written by hand,
 * in src/resources.
 */
export const GROUPS: Record<string, Group> = {
  Account: {
    about: "Settings, limits, use and prices of the account.",
    methods: {
      get: "getOwnAccount",
      update: "updateOwnAccount",
      privacy: "getPrivacy",
      updatePrivacy: "updatePrivacy",
      callSettings: "getCallSettings",
      updateCallSettings: "updateCallSettings",
      callLimits: "getCallLimits",
      quotas: "getQuotas",
      prices: "getPrices",
      updatePrices: "updatePrices",
      usage: "getUsage",
      auditLog: "listAuditEntries",
      models: "listModels",
      voices: "listVoices",
    },
  },
  AgentTests: {
    about: "Tests of agents, and how they went.",
    methods: {
      list: "listAgentTests",
      get: "getAgentTest",
      create: "createAgentTest",
      update: "updateAgentTest",
      delete: "deleteAgentTest",
      ofConversation: "conversationToTest",
      run: "createTestRun",
      runs: "listTestRuns",
      getRun: "getTestRun",
    },
  },
  Agents: {
    about: "The voice agents of the account, and what they know.",
    methods: {
      list: "listAgents",
      get: "getAgent",
      create: "createAgent",
      update: "updateAgent",
      delete: "deleteAgent",
      prompts: "listAgentPrompts",
      activatePrompt: "activateAgentPrompt",
      versions: "listAgentVersions",
      version: "getAgentVersion",
      publish: "publishAgent",
      restoreVersion: "restoreAgentVersion",
      attachFaq: "attachAgentFaq",
      detachFaq: "detachAgentFaq",
      attachPlaybook: "attachAgentPlaybook",
      detachPlaybook: "detachAgentPlaybook",
      tools: "listAgentTools",
      setTool: "putAgentTool",
      removeTool: "deleteAgentTool",
      order: "orderAgentAttachments",
      effect: "getAgentEffect",
      session: "createAgentSession",
      widgetSettings: "getAgentWidgetSettings",
      updateWidgetSettings: "updateAgentWidgetSettings",
    },
  },
  ApiKeys: {
    about: "Keys of servers. Only console sessions create and change them.",
    methods: {
      list: "listApiKeys",
      create: "createApiKey",
      update: "updateApiKey",
      delete: "deleteApiKey",
    },
  },
  Budgets: {
    about: "How much all of it may use.",
    methods: {
      list: "listBudgets",
      get: "getBudget",
      create: "createBudget",
      update: "updateBudget",
      delete: "deleteBudget",
    },
  },
  Calls: {
    about: "Single calls, and the record of all calls.",
    methods: {
      list: "listCalls",
      get: "getCall",
      originate: "originateCall",
      hangUp: "hangUpCall",
      statistics: "getCallStatistics",
      export: "exportCalls",
    },
  },
  Campaigns: {
    about: "Calls to a list of contacts.",
    methods: {
      list: "listCampaigns",
      get: "getCampaign",
      update: "updateCampaign",
      delete: "deleteCampaign",
      start: "startCampaign",
      pause: "pauseCampaign",
      resume: "resumeCampaign",
      stop: "stopCampaign",
      redial: "redialCampaign",
      clone: "cloneCampaign",
      outcomes: "countCampaignOutcomes",
      plan: "getCampaignPlan",
      contacts: "listCampaignContacts",
      contact: "getCampaignContact",
      correctContact: "correctCampaignContact",
      cancelContact: "cancelCampaignContact",
      export: "exportCampaignContacts",
      rejects: "exportCampaignRejects",
      history: "exportCampaignHistory",
    },
  },
  Conversations: {
    about: "What was said.",
    methods: {
      list: "listConversations",
      get: "getConversation",
      delete: "deleteConversation",
      transcript: "getConversationTranscript",
      export: "exportConversations",
    },
  },
  DoNotCall: {
    about: "The do-not-call list.",
    methods: {
      list: "listDoNotCall",
      add: "addDoNotCall",
      remove: "removeDoNotCall",
    },
  },
  Erasures: {
    about: "Forgetting a person.",
    methods: {
      list: "listErasures",
      get: "getErasure",
      create: "createErasure",
    },
  },
  Events: {
    about: "What happens in the account.",
    methods: {
      list: "listEvents",
    },
  },
  Faqs: {
    about: "What agents answer from.",
    methods: {
      list: "listFaqs",
      get: "getFaq",
      create: "createFaq",
      update: "updateFaq",
      delete: "deleteFaq",
    },
  },
  Integrations: {
    about: "Other services that tools use.",
    methods: {
      list: "listIntegrations",
      get: "getIntegration",
      install: "installIntegration",
      uninstall: "uninstallIntegration",
      verify: "verifyIntegration",
    },
  },
  Marketplace: {
    about: "Agents to install.",
    methods: {
      list: "listTemplates",
      get: "getTemplate",
      install: "installTemplate",
    },
  },
  Numbers: {
    about: "The phone numbers of the account.",
    methods: {
      list: "listPhoneNumbers",
      get: "getPhoneNumber",
      create: "createPhoneNumber",
      update: "updatePhoneNumber",
      delete: "deletePhoneNumber",
      check: "checkPhoneNumber",
    },
  },
  Playbooks: {
    about: "How agents go about a task.",
    methods: {
      list: "listPlaybooks",
      get: "getPlaybook",
      create: "createPlaybook",
      update: "updatePlaybook",
      delete: "deletePlaybook",
    },
  },
  Providers: {
    about: "The credentials of carriers.",
    methods: {
      list: "listTelephonyProviders",
      create: "createTelephonyProvider",
      delete: "deleteTelephonyProvider",
      verify: "verifyTelephonyProvider",
      numbers: "listCarrierNumbers",
    },
  },
  Recordings: {
    about: "Recorded calls.",
    methods: {
      list: "listRecordings",
      get: "getRecording",
      url: "getRecordingUrl",
      delete: "deleteRecording",
    },
  },
  Tools: {
    about: "What agents may do at other services.",
    methods: {
      list: "listTools",
      get: "getTool",
      create: "createTool",
      update: "updateTool",
      delete: "deleteTool",
      run: "runTool",
      runs: "listToolRuns",
    },
  },
  Webhooks: {
    about: "Servers that receive events; `verifyWebhook` verifies the deliveries.",
    methods: {
      list: "listWebhooks",
      get: "getWebhook",
      create: "createWebhook",
      update: "updateWebhook",
      delete: "deleteWebhook",
      rotateSecret: "rotateWebhookSecret",
      test: "testWebhook",
      deliveries: "listWebhookDeliveries",
      resend: "resendWebhookDelivery",
      resendFailed: "resendFailedWebhookDeliveries",
    },
  },
  WidgetKeys: {
    about: "Keys of widgets on pages, which are public.",
    methods: {
      list: "listWidgetKeys",
      create: "createWidgetKey",
      update: "updateWidgetKey",
      delete: "deleteWidgetKey",
      visitorToken: "createVisitorToken",
    },
  },
};
