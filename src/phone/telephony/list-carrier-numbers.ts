import type { z } from "zod";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { phoneNumbers, telephonyProviders } from "../../kernel/db/schema/index.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { ApiError, notFound } from "../../kernel/http/errors.ts";
import { countCarrierLook } from "../../kernel/http/rate-limits.ts";
import { CarrierRefusal, type Provider } from "../carriers/carrier.ts";
import type { carrierNumbers } from "./carrier-contract.ts";
import { connectCarrier, credentialsInUse } from "./line.ts";

/**
 * Returns the carrier's numbers for the account of these credentials, and whether each is registered here. The sandbox
 * has the numbers that are registered with it.
 * @throws ApiError with the carrier's reason
 */
export async function listCarrierNumbers(
  { env, store }: { env: Bindings; store: AccountStore },
  credentialsId: string,
): Promise<z.input<typeof carrierNumbers>> {
  await countCarrierLook(env, store.account);
  const [row, own] = await store.read(
    store.first(telephonyProviders, { where: credentialsInUse(credentialsId) }),
    store.select(phoneNumbers, { columns: ["e164", "provider"] }),
  );
  if (!row) throw notFound("credentials");
  const { numbers } = await connectCarrier(env, store.account, row.provider as Provider, row);
  if (!numbers) {
    const here = own.filter(({ provider }) => provider === row.provider);
    return { numbers: here.map(({ e164 }) => ({ e164, capabilities: ["voice"], registered: true })), truncated: false };
  }
  const registered = new Set(own.map(({ e164 }) => e164));
  const found = await numbers.list().catch((error: unknown) => {
    if (error instanceof CarrierRefusal) throw new ApiError(500, `carrier_${error.reason}`, error.message);
    throw error;
  });
  return {
    numbers: found.numbers.map(({ e164, capabilities }) => ({
      e164,
      capabilities,
      registered: registered.has(e164),
    })),
    truncated: found.truncated,
  };
}
