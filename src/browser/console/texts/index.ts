/**
 * Every word the console says, one file an area, so that a language is one folder. A screen imports its area alone and
 * brings no other's words with it.
 */
export { accept } from "./en/accept.ts";
export { access } from "./en/access.ts";
export { accounts, service, users } from "./en/accounts.ts";
export { agents } from "./en/agents.ts";
export { apiKeys } from "./en/api-keys.ts";
export { auditLog } from "./en/audit-log.ts";
export { board } from "./en/board.ts";
export { budgets } from "./en/budgets.ts";
export { callSettings } from "./en/call-settings.ts";
export { calls } from "./en/calls.ts";
export { campaignPlan } from "./en/campaign-plan.ts";
export { campaignSettings } from "./en/campaign-settings.ts";
export { campaigns } from "./en/campaigns.ts";
export { carriers } from "./en/carriers.ts";
export { codeInWords } from "./en/codes.ts";
export { common } from "./en/common.ts";
export { conversations } from "./en/conversations.ts";
export { doNotCall } from "./en/do-not-call.ts";
export { erasures } from "./en/erasures.ts";
export { faqs } from "./en/faqs.ts";
export { history } from "./en/history.ts";
export { integrations } from "./en/integrations.ts";
export { joinAccount } from "./en/join-account.ts";
export { limits } from "./en/limits.ts";
export { marketplace } from "./en/marketplace.ts";
export { members } from "./en/members.ts";
export { importReport, newCampaign } from "./en/new-campaign.ts";
export { noModel } from "./en/no-model.ts";
export { numbers } from "./en/numbers.ts";
export { overview } from "./en/overview.ts";
export { playbooks } from "./en/playbooks.ts";
export { prices } from "./en/prices.ts";
export { privacy } from "./en/privacy.ts";
export { profile } from "./en/profile.ts";
export { recordings } from "./en/recordings.ts";
export { resetPassword } from "./en/reset-password.ts";
export { secondFactor } from "./en/second-factor.ts";
export { shell } from "./en/shell.ts";
export { signIn } from "./en/sign-in.ts";
export { signInPolicy } from "./en/sign-in-policy.ts";
export { talk } from "./en/talk.ts";
export { tools } from "./en/tools.ts";
export { cost, usage } from "./en/usage.ts";
export { whoMayChat } from "./en/who-may-chat.ts";
export { widgetKeys } from "./en/widget-keys.ts";
