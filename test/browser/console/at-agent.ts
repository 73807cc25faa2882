import type { Page } from "playwright-core";
import { type Operator, withSession } from "./operator.ts";

export const GREETING = "Hello, I am Ada. What can I do for you?";

export const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
export const link = (page: Page, name: string) => page.getByRole("link", { name, exact: true });
export const tab = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Agent", exact: true }).getByRole("link", { name });

/** Opens a tab of the agent of a new account. */
export async function atAgent(path = ""): Promise<Operator> {
  const operator = await withSession();
  await operator.goTo(`/agents/${operator.account.agent.id}${path}`);
  await operator.page.getByRole("heading", { name: "Ada", level: 1 }).waitFor();
  return operator;
}

/** Returns the stored agent. */
export function stored({ account }: Operator) {
  return account.server<Record<string, unknown>>("GET", `/api/v1/agents/${account.agent.id}`);
}

/** Holds the first request with this method back until it is released, and counts the requests. */
export async function holdFirst(page: Page, address: string, method: string) {
  const first = Promise.withResolvers<void>();
  let count = 0;
  await page.route(address, async (route) => {
    if (route.request().method() === method && ++count === 1) await first.promise;
    await route.continue();
  });
  return { sent: () => count, release: first.resolve };
}
