import { allowlistEntry, InvalidOrigin } from "../../account/visitors/origins.ts";
import { invalidField } from "../../kernel/http/errors.ts";

/** The allowlist as it is stored: canonical and without repetition. @throws ApiError 400 that says what to write */
export async function readAllowlist(entries: string[]): Promise<string[]> {
  const isPublicSuffix = entries.some((entry) => entry.includes("*")) ? await publicSuffixTest() : () => false;
  try {
    return [...new Set(entries.map((entry) => allowlistEntry(entry, isPublicSuffix)))];
  } catch (error) {
    if (error instanceof InvalidOrigin) throw invalidField("domain_allowlist", "invalid_origin", error.message);
    throw error;
  }
}

/**
 * The public suffix list: large, so loaded when first needed, and then kept; no request waits for another's loading.
 */
let suffixes: typeof import("tldts") | null = null;

/** Whether a host is a public suffix, private ones (github.io, vercel.app) included. */
async function publicSuffixTest(): Promise<(host: string) => boolean> {
  suffixes ??= await import("tldts");
  const { getPublicSuffix } = suffixes;
  return (host) => {
    // A dot at the end names the same host.
    const name = host.replace(/\.+$/, "");
    return getPublicSuffix(name, { allowPrivateDomains: true }) === name;
  };
}
