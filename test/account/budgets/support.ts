import type { Tenant } from "../../support/client.ts";

export interface Budget {
  id: string;
  scope: string;
  scope_id: string | null;
  period: string;
  unit: string;
  limit: number;
  warn_at: number[];
  action: string;
  used: number;
  resets_at: string;
}

/** Returns the body of a budget: by default, the account's tokens per day. */
export const order = (over: Record<string, unknown> = {}) => {
  return Object.assign({ scope: "account", period: "day", unit: "tokens", limit: 1_000, action: "stop_new" }, over);
};

export async function createBudget({ server }: Pick<Tenant, "server">, over: Record<string, unknown> = {}) {
  const { status, body } = await server.post<Budget>("/api/v1/budgets", order(over));
  if (status !== 201) throw new Error(`no budget: ${status} ${JSON.stringify(body)}`);
  return body;
}

export async function budget({ server }: Pick<Tenant, "server">, id: string): Promise<Budget> {
  return (await server.get<Budget>(`/api/v1/budgets/${id}`)).body;
}
