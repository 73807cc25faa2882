/** The users and data that the start script seeds for a developer. Never part of a deployment. */
export const PASSWORD = "switchboard";
/** A password that the API accepts, for users created through it. */
export const LONG_PASSWORD = "many calls at the switchboard";
export const OPERATOR = { account: "service-admin", email: "operator@switchboard.example" } as const;
export const ACME = { account: "acme", email: "owner@acme.example" } as const;
export const GLOBEX = { account: "globex", email: "owner@globex.example" } as const;
export const ACME_NUMBER = "+12025550100";
export const TENANTS = [
  { ...ACME, display_name: "Acme", plan: "scale" },
  { ...GLOBEX, display_name: "Globex", plan: "starter" },
] as const;
export const ACME_AGENT = {
  name: "Reception",
  status: "active",
  auth_mode: "public",
  category: "customer_support",
  description: "Answers the phone of a small company.",
  system_prompt:
    "You are the friendly receptionist of Acme. Find out what the caller needs and help, in short sentences.",
  greeting_message: "Hello, this is Acme. How can I help you?",
  timezone: "America/New_York",
} as const;
