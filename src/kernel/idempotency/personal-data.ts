import { MIGRATION_STEPS, type PersonalTables } from "../personal-data.ts";

/** How a person is found in an idempotency store. */
export const IDEMPOTENCY_PERSONAL_DATA = {
  migrations: MIGRATION_STEPS,
  // The key stays, so that a request that is repeated is not run again; the answer goes.
  reservations: { by: ["text"], columns: ["answer"], erasure: "mask" },
} as const satisfies PersonalTables;
