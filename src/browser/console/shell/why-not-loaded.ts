/**
 * Why a screen's script couldn't be loaded: a newer release replaced it, the service is unreachable, or another reason.
 */
export type Reason = "replaced" | "unreachable" | "failed";

/** Asks the service why a script couldn't be loaded: for the one in the browser's message, otherwise for the page. */
export async function whyNotLoaded(message: string): Promise<Reason> {
  const script = /https?:\/\/\S+/.exec(message)?.[0];
  try {
    const { status } = await fetch(script ?? "/console/", { cache: "no-store" });
    // If the browser doesn't name the script and the service responds, a newer release is likely.
    return status === 404 || (script === undefined && status < 400) ? "replaced" : "failed";
  } catch {
    return "unreachable";
  }
}
