import { CarrierRefusal, CarrierUncertain } from "./carrier.ts";

/** What trying credentials came to; a carrier that refuses or does not answer is a verdict too. */
export async function verdictOf(
  attempt: () => Promise<{ ok: boolean; detail: string }>,
): Promise<{ ok: boolean; detail: string }> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof CarrierRefusal || error instanceof CarrierUncertain)
      return { ok: false, detail: error.message };
    throw error;
  }
}
