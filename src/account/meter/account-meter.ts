import { DurableObject } from "cloudflare:workers";

/**
 * One object per account, named by it, that holds what is written often: the leases of calls and of whatever is live, and
 * what budgets have left. The account's gate answers who comes in and waits for no disk; it tells the meter what was
 * revoked.
 */
export class AccountMeter extends DurableObject<Env> {}
