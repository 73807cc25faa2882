import { operator, type Tenant } from "../../support/client.ts";

export interface Use {
  limit: number;
  used: number;
}
export interface Quotas {
  plan: string;
  quotas: Record<string, Use>;
}

/** Sets an account's overrides as an operator does. */
export async function setQuotas(account: string, quotas: Record<string, number | null>): Promise<void> {
  const answer = await (await operator()).patch(`/api/admin/v1/accounts/${account}`, { quotas });
  if (answer.status !== 200) throw new Error(`quotas not set: ${answer.status} ${JSON.stringify(answer.body)}`);
}

/** Returns how much of a quota the account uses. */
export async function use({ server }: Pick<Tenant, "server">, name: string): Promise<Use | undefined> {
  return (await server.get<Quotas>("/api/v1/quotas")).body.quotas[name];
}
