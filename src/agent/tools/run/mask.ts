/** The text that replaces a secret. */
export const MASK = "***";
/** The shortest secret that is masked. Shorter ones occur in any text. */
const MIN_SECRET_CHARS = 4;
/** The shortest run of base64 that identifies a secret. */
const MIN_BASE64_CHARS = 6;

/** Replaces every secret with a mark, in any of its encodings. */
export interface Mask {
  text(text: string): string;
  /** Masks within JSON, including names and numbers. */
  json(value: unknown): unknown;
  /** Masks a text that was truncated, whose end may be the beginning of a secret. */
  cut(text: string): string;
}

/** Returns a mask for these secrets and their encoded forms. */
export function maskOf(secrets: readonly string[]): Mask {
  const forms = [...new Set(secrets.filter(({ length }) => length >= MIN_SECRET_CHARS).flatMap(formsOf))].sort(
    (a, b) => b.length - a.length,
  );
  if (forms.length === 0) return { text: (text) => text, json: (value) => value, cut: (text) => text };
  const pattern = new RegExp(forms.map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("|"), "gi");
  const text = (from: string) => from.replace(pattern, MASK);
  const json = (value: unknown): unknown => {
    if (typeof value === "string") return text(value);
    if (typeof value === "number") {
      const masked = text(String(value));
      return masked === String(value) ? value : masked;
    }
    if (Array.isArray(value)) return value.map(json);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, child]) => [text(name), json(child)]));
  };
  const cut = (from: string) => {
    const masked = text(from);
    const lower = masked.toLowerCase();
    const begun = forms.map((form) => begins(lower, form.toLowerCase()));
    const longest = Math.max(...begun);
    return longest === 0 ? masked : masked.slice(0, -longest) + MASK;
  };
  return { text, json, cut };
}

/** Counts the characters at the end of a text that could be the beginning of this form of a secret. */
function begins(text: string, form: string): number {
  for (let length = Math.min(form.length - 1, text.length); length >= MIN_SECRET_CHARS; length--) {
    if (text.endsWith(form.slice(0, length))) return length;
  }
  return 0;
}

/**
 * Returns a secret in the forms in which services return it: plain, and encoded for addresses, forms, JSON, HTML,
 * base64 and hexadecimal.
 */
function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const ascii = json.replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const encoded = encodeURIComponent(secret.toWellFormed());
  const form = new URLSearchParams([["", secret]]).toString().slice(1);
  const all = [
    secret,
    json,
    ascii,
    json.replaceAll("/", "\\/"),
    JSON.stringify(json).slice(1, -1),
    encoded,
    encoded.replaceAll("'", "%27"),
    encodeURIComponent(encoded),
    form,
    encodeURI(secret.toWellFormed()),
    ...htmlForms(secret),
    ...binaryForms(new TextEncoder().encode(secret)),
  ];
  return all.filter(({ length }) => length >= MIN_SECRET_CHARS);
}

function htmlForms(secret: string): string[] {
  const html = secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const quoted = html.replaceAll('"', "&quot;");
  return [
    html,
    quoted,
    quoted.replaceAll("'", "&#39;"),
    quoted.replaceAll("'", "&#x27;"),
    quoted.replaceAll("'", "&#039;"),
  ];
}

/**
 * Returns a secret in hexadecimal, and the parts of its base64 that are the same at any position within a longer text.
 */
function binaryForms(bytes: Uint8Array): string[] {
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const runs = [0, 1, 2].flatMap((before) => {
    const padded = [...new Array<number>(before).fill(0), ...bytes];
    const text = btoa(padded.map((byte) => String.fromCharCode(byte)).join("")).replaceAll("=", "");
    // The first and last base64 characters also contain bits of the surrounding text.
    const from = [0, 2, 3][before] ?? 0;
    const run = text.slice(from, padded.length % 3 === 0 ? undefined : -1);
    return run.length < MIN_BASE64_CHARS
      ? []
      : [run, run.replaceAll("+", "-").replaceAll("/", "_"), encodeURIComponent(run)];
  });
  return [hex, ...runs];
}
