import { CarrierRefusal, CarrierUncertain, type CredentialsVerdict } from "./carrier.ts";

/** Returns the verdict on credentials; a refusal or a missing answer is a verdict too. */
export async function verdictOf(attempt: () => Promise<{ ok: boolean; detail: string }>): Promise<CredentialsVerdict> {
  try {
    const { ok, detail } = await attempt();
    return { ok, detail, answered: true };
  } catch (error) {
    if (error instanceof CarrierUncertain) return { ok: false, answered: false, detail: error.message };
    if (error instanceof CarrierRefusal)
      return { ok: false, answered: !SILENT.has(error.reason), detail: error.message };
    throw error;
  }
}

/** The reasons of refusals that are not caused by the credentials. */
const SILENT = new Set<CarrierRefusal["reason"]>(["outage", "rate"]);
