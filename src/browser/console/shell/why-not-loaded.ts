/** Why a screen's script could not be loaded: a newer release has none of that name, the service is away, or neither. */
export type Reason = "replaced" | "unreachable" | "failed";

/** Asks the service why, for the script that the browser's message names, or for the page where it names none. */
export async function whyNotLoaded(message: string): Promise<Reason> {
  const script = /https?:\/\/\S+/.exec(message)?.[0];
  try {
    const { status } = await fetch(script ?? "/console/", { cache: "no-store" });
    // If the browser does not say which script it was and the service answers, a newer release is likely.
    return status === 404 || (script === undefined && status < 400) ? "replaced" : "failed";
  } catch {
    return "unreachable";
  }
}
