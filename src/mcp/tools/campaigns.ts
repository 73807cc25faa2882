import { z } from "zod";
import { campaignStatus } from "../../campaign/campaign-record.ts";
import { budgetsOf, restsOnTools } from "../rests-on.ts";
import { MAX_CHARS } from "../result.ts";
import { acting, confirm, id, limit, looking, type Tool } from "../tool.ts";

const counts = z.record(z.string(), z.number());
const campaign = z.object({
  id: z.string(),
  name: z.string(),
  status: campaignStatus,
  status_reason: z.string().nullable(),
  agent_id: z.string().nullable(),
  from_number: z.string().nullable(),
  total_contacts: z.number(),
  counts,
  created_at: z.string(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
});
const settings = campaign.extend({
  calls_per_minute: z.number().nullable(),
  max_concurrent: z.number().nullable().optional(),
  schedule_config: z.unknown(),
  retry_config: z.unknown(),
  scheduled_at: z.string().nullable(),
});
const plan = z.object({
  status: campaignStatus,
  finishes_at: z.string().nullable(),
  next_dial_at: z.string().nullable(),
  contacts_revision: z.number(),
  waiting: z.unknown(),
  assumptions: z.unknown(),
  timezones: z.unknown(),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
  samples: z.unknown(),
});
const contacts = z.object({ contacts: z.array(z.object({ phone_number: z.string() })) });
const named = z.object({ name: z.string() });

const campaignId = id("The campaign, from list_campaigns.");
const one = z.strictObject({ campaign_id: campaignId });
const path = (campaign_id: string) => `/api/v1/campaigns/${campaign_id}`;

const listCampaigns = looking(
  {
    name: "list_campaigns",
    title: "List campaigns",
    description: "Lists campaigns with their progress, newest first.",
    scopes: ["read"],
    input: z.strictObject({
      status: campaignStatus.optional(),
      limit: limit(50),
    }),
    output: z.object({ campaigns: z.array(campaign), total: z.number() }),
  },
  async ({ api }, { status, limit: most }) => {
    const campaigns: z.output<typeof campaign>[] = [];
    let total = 0;
    for await (const one of api.each("/api/v1/campaigns", campaign)) {
      if (status !== undefined && one.status !== status) continue;
      total += 1;
      if (campaigns.length < most) campaigns.push(one);
    }
    return { campaigns, total };
  },
);

const showCampaign = looking(
  {
    name: "show_campaign",
    title: "Show a campaign",
    description: "Returns a campaign's settings and progress.",
    scopes: ["read"],
    input: one,
    output: z.object({ campaign: settings, revision: z.number() }),
  },
  async ({ api }, { campaign_id }) => {
    const { value, revision } = await api.revised(path(campaign_id), settings);
    return { campaign: value, revision };
  },
);

const planCampaign = looking(
  {
    name: "plan_campaign",
    title: "Plan a campaign",
    description:
      "Returns when a campaign would finish, the problems to fix before it calls, and what the first contacts " +
      "would hear.",
    scopes: ["read"],
    input: one,
    output: z.object({ plan }),
    strangers: true,
  },
  async ({ api }, { campaign_id }) => {
    const found = await api.get(`${path(campaign_id)}/plan`, plan);
    if (JSON.stringify(found).length > MAX_CHARS / 2) found.samples = null;
    return { plan: found };
  },
);

const whyWaiting = looking(
  {
    name: "why_waiting",
    title: "Why a campaign's contacts wait",
    description: "Returns why contacts of a campaign are not called now, and when the next call is.",
    scopes: ["read"],
    input: one,
    output: plan.pick({ status: true, next_dial_at: true, waiting: true, warnings: true }),
  },
  async ({ api }, { campaign_id }) => {
    const { status, next_dial_at, waiting, warnings } = await api.get(`${path(campaign_id)}/plan`, plan);
    return { status, next_dial_at, waiting, warnings };
  },
);

const startCampaign = acting(
  {
    name: "start_campaign",
    title: "Start a campaign",
    description:
      "Starts or resumes a campaign, which calls its contacts. This has to be confirmed; the first call says whom " +
      "and how many people it would call.",
    scopes: ["dial"],
    input: z.strictObject({ campaign_id: campaignId, confirm }),
    output: z.object({ campaign }),
    hints: { destructive: true, idempotent: false, openWorld: true },
  },
  async ({ api }, { campaign_id }) => {
    const { value, revision } = await api.revised(path(campaign_id), settings);
    const { agent_id, from_number, name, calls_per_minute, scheduled_at } = value;
    const pending = value.counts.pending ?? 0;
    const [{ contacts: first }, { warnings, contacts_revision }, agent, tools, budget] = await Promise.all([
      api.get(`${path(campaign_id)}/contacts`, contacts, { status: "pending", limit: 10 }),
      api.get(`${path(campaign_id)}/plan`, plan),
      agent_id === null ? null : api.revised(`/api/v1/agents/${agent_id}`, named),
      restsOnTools(api),
      budgetsOf(api, [agent_id, campaign_id]),
    ]);
    return {
      scope: "dial",
      effect: {
        to_numbers: first.map(({ phone_number }) => phone_number),
        count: pending,
        details: {
          campaign: name,
          campaign_id,
          revision,
          agent: agent?.value.name ?? null,
          agent_revision: agent?.revision ?? null,
          from_number,
          calls_per_minute,
          scheduled_at,
          budget,
          warnings: warnings.map(({ message }) => message).join("; "),
        },
      },
      restsOn: [String(contacts_revision), ...(agent ? [agent.version] : []), ...tools],
      summary: `Call the ${pending} waiting contacts of the campaign ${name} with the agent ${agent?.value.name ?? "(none)"}, from ${from_number ?? "(no number)"}`,
      on: campaign_id,
      confirmed: true,
      // The query makes the start fail if the campaign differs from what was confirmed.
      perform: async () => {
        const order = { body: {}, revision, query: { pending, contacts_revision } };
        return { done: true, campaign: await api.send("POST", `${path(campaign_id)}/start`, campaign, order) };
      },
    };
  },
);

const pauseCampaign = acting(
  {
    name: "pause_campaign",
    title: "Pause a campaign",
    description: "Pauses a running campaign at once. Calls in progress finish.",
    scopes: ["dial"],
    input: one,
    output: z.object({ campaign }),
    hints: { destructive: false, idempotent: true, openWorld: false },
  },
  async ({ api }, { campaign_id }) => ({
    scope: "dial",
    effect: { to_numbers: [], count: 0, details: { campaign_id } },
    summary: "Pause the campaign",
    on: campaign_id,
    confirmed: false,
    perform: async () => ({ done: true, campaign: await api.send("POST", `${path(campaign_id)}/pause`, campaign) }),
  }),
);

export const campaignTools: Tool[] = [
  listCampaigns,
  showCampaign,
  planCampaign,
  whyWaiting,
  startCampaign,
  pauseCampaign,
];
