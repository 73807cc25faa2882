import { type EgressRules, judgeAddress, readAddress, refusalOf } from "../../kernel/egress/address.ts";
import type { CatalogIntegration, HostRule } from "../catalog/types.ts";

/** The maximum length of a host name, characters (RFC 1035, 3.1). */
const MAX_HOST_CHARS = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const PLACEHOLDER = /\{(\w+)\}/;
/** Egress rules without an operator's exceptions: only public hosts are allowed. */
const PUBLIC: EgressRules = { allowed: [], own: [] };

type Params = Record<string, unknown>;

/** The normalized host to which a param sends secrets, or why the param names none. */
export type HostValue = { value: string } | { fault: string };

/** Reads a param that determines where secrets are sent: a label or host in lower case, or the origin of a base URL. */
export function readHostParam(rule: HostRule, param: unknown): HostValue {
  if (typeof param !== "string") return { fault: faultOf(rule) };
  if (rule === "base_url") {
    const url = readBaseUrl(param);
    return url ? { value: url.origin } : { fault: faultOf(rule) };
  }
  const fits = rule === "label" ? LABEL.test(param) : isHost(param) && (rule === "public_host" || fitsAny(param, rule));
  if (!fits) return { fault: faultOf(rule) };
  const value = param.toLowerCase();
  if (rule !== "public_host") return { value };
  const verdict = judgeAddress(`https://${value}/`, PUBLIC);
  return "url" in verdict ? { value } : { fault: verdict.refused };
}

/**
 * Reads the base address of an account's own service; null if it is invalid. It must be http or https in ASCII, without
 * credentials, query, fragment or characters that templates use.
 */
export function readBaseUrl(text: string): URL | null {
  if (!/^https?:\/\/[^\s/\\?#@{}]+(\/[^\s\\?#{}]*)?$/i.test(text) || !/^[!-~]*$/.test(text)) return null;
  const read = readAddress(text);
  // A host with a dot at the end is a different origin.
  return "url" in read && !read.url.hostname.endsWith(".") ? read.url : null;
}

/** Returns the reason why a param cannot be stored; null if it can be. `rules` are the operator's. */
export function faultOfHostParam(rule: HostRule, param: unknown, rules: EgressRules): string | null {
  const read = readHostParam(rule, param);
  if ("fault" in read) return read.fault;
  if (rule === "base_url") return refusalOf(new URL(String(param)), rules);
  return rule === "public_host" ? refusalOf(new URL(`https://${read.value}/`), { allowed: [], own: rules.own }) : null;
}

/**
 * Returns the origins to which an integration's secrets may be sent with these params. A missing or invalid param gives
 * none.
 */
export function secretOrigins(integration: CatalogIntegration, params: Params): string[] {
  return integration.hosts.flatMap((template) => {
    const filled = fillTemplate(integration, template, params);
    return filled === null ? [] : [originOf(filled)];
  });
}

/**
 * Checks whether a secret may be sent to an origin, even if the integration is incomplete: a missing param allows every
 * host to which it could lead within the vendor's own.
 */
export function mayReceive(integration: CatalogIntegration, params: Params, origin: string): boolean {
  if (secretOrigins(integration, params).includes(origin)) return true;
  return integration.hosts.some((template) => {
    const field = decidingField(integration, template);
    if (!field?.host || isStored(params[field.name])) return false;
    const { host } = field;
    if (host === "public_host" || host === "base_url") return false;
    const forms = host === "label" ? ["*"] : host;
    const patterns = forms.map((form) => template.replace(PLACEHOLDER, form));
    return patterns.some((pattern) => origin === `https://${hostOf(origin)}` && fitsAny(hostOf(origin), [pattern]));
  });
}

/**
 * Returns the hosts to which secrets may be sent, for display. A missing value is shown as `{param}` or its pattern.
 */
export function shownHosts(integration: CatalogIntegration, params: Params): string[] {
  return integration.hosts.flatMap((template) => {
    const filled = fillTemplate(integration, template, params);
    if (filled !== null) return [shownOrigin(originOf(filled))];
    const rule = decidingField(integration, template)?.host;
    return Array.isArray(rule) ? rule.map((form) => template.replace(PLACEHOLDER, form)) : [template];
  });
}

/** Returns an origin for display: a host without a scheme means https. */
export function shownOrigin(origin: string): string {
  return origin.replace(/^https:\/\//, "");
}

/** Fills the param of a host template (with the origin of a base URL); null if the param is missing or invalid. */
function fillTemplate(integration: CatalogIntegration, template: string, params: Params): string | null {
  const field = decidingField(integration, template);
  if (!field?.host) return template;
  const read = readHostParam(field.host, params[field.name]);
  return "value" in read ? template.replace(PLACEHOLDER, read.value) : null;
}

function decidingField({ params }: CatalogIntegration, template: string) {
  const [, name] = PLACEHOLDER.exec(template) ?? [];
  return params.find((field) => field.name === name);
}

const originOf = (filled: string) => (filled.includes("://") ? filled : `https://${filled}`);
const hostOf = (origin: string) => origin.replace(/^\w+:\/\//, "");
const isStored = (param: unknown) => param !== undefined && param !== null && param !== "";

/** Checks whether a text is a host name that consists only of ASCII labels. */
function isHost(text: string): boolean {
  return text.length <= MAX_HOST_CHARS && text.split(".").every((label) => LABEL.test(label));
}

/** Checks whether a host matches one of these patterns, where `*` matches part of a label. */
function fitsAny(host: string, forms: readonly string[]): boolean {
  return isHost(host) && forms.some((form) => formPattern(form).test(host));
}

function formPattern(form: string): RegExp {
  return new RegExp(`^${form.replaceAll(".", "\\.").replaceAll("*", "[a-z0-9-]+")}$`, "i");
}

function faultOf(rule: HostRule): string {
  if (rule === "label")
    return "must be one part of a host name, such as acme: letters, digits and hyphens, without dots, slashes or a port";
  if (rule === "public_host") return "must be a host name such as shop.example.com, without https://, a port or a path";
  if (rule === "base_url")
    return "must be an address such as https://api.example.com/v1, without credentials, query or fragment";
  return `must be a host name of the form ${rule.join(" or ")}, without https://, a port or a path`;
}
