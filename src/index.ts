import { app } from "./app.ts";
import { seedOutdated } from "./catalog/seed.ts";

export { AccountGate } from "./accounts/account-gate.ts";
export { Campaign } from "./campaigns/campaign.ts";
export { SandboxCarrier } from "./carriers/sandbox-carrier.ts";

/** A scheduled run stops taking on work after this long, ms. */
const RUN = 25_000;

export default {
  fetch: app.fetch,
  scheduled: async (_, env) => {
    await seedOutdated(env.DB, Date.now() + RUN);
  },
} satisfies ExportedHandler<Env>;
