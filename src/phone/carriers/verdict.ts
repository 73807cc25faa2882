import { CarrierRefusal, CarrierUncertain, type CredentialsVerdict } from "./carrier.ts";

/** The verdict on credentials; a refusal or no answer is a verdict too. */
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

/** Refusals that are not caused by the credentials. */
const SILENT = new Set<CarrierRefusal["reason"]>(["outage", "rate"]);
