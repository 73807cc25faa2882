export { AccountGate } from "./accounts/account-gate.ts";
export { app as default } from "./app.ts";
export { Campaign } from "./campaigns/campaign.ts";
export { SandboxCarrier } from "./carriers/sandbox-carrier.ts";
