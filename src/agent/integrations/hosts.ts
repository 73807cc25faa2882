import { type EgressRules, judgeAddress, readAddress, refusalOf } from "../../kernel/egress/address.ts";
import type { CatalogIntegration, HostRule } from "../catalog/types.ts";

/** Longest host name (RFC 1035, 3.1). */
const MAX_HOST_CHARS = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const PLACEHOLDER = /\{(\w+)\}/;
/** Without an operator's exceptions: what a vendor or a customer runs on the internet. */
const PUBLIC: EgressRules = { allowed: [], own: [] };

type Params = Record<string, unknown>;

/** The host that a param sends secrets to, normalized; or why it names none. */
export type HostValue = { value: string } | { fault: string };

/** Reads a param that decides where secrets go: a label or host in lower case, of a base URL its origin. */
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
 * The base address of a service of one's own; null if the text is not one: http or https in plain ASCII, without
 * credentials, query, fragment, or anything a template could be made of.
 */
export function readBaseUrl(text: string): URL | null {
  if (!/^https?:\/\/[^\s/\\?#@{}]+(\/[^\s\\?#{}]*)?$/i.test(text) || !/^[!-~]*$/.test(text)) return null;
  const read = readAddress(text);
  // A host with a dot at its end is another origin than the one without.
  return "url" in read && !read.url.hostname.endsWith(".") ? read.url : null;
}

/** Why a param that is to be stored cannot be, null if it can; `rules` are the operator's. */
export function faultOfHostParam(rule: HostRule, param: unknown, rules: EgressRules): string | null {
  const read = readHostParam(rule, param);
  if ("fault" in read) return read.fault;
  if (rule === "base_url") return refusalOf(new URL(String(param)), rules);
  return rule === "public_host" ? refusalOf(new URL(`https://${read.value}/`), { allowed: [], own: rules.own }) : null;
}

/** The origins that an integration's secrets may go to with these params; none for those whose param is missing or unfit. */
export function secretOrigins(integration: CatalogIntegration, params: Params): string[] {
  return integration.hosts.flatMap((template) => {
    const filled = fillTemplate(integration, template, params);
    return filled === null ? [] : [originOf(filled)];
  });
}

/**
 * Whether a secret may go to an origin, as far as it is known before the integration is complete: with a param that is
 * not stored yet, to any host that the param could lead to within the vendor's own.
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

/** The hosts that secrets may go to, for people: what is not stored yet as `{param}`, or as the pattern it has to fit. */
export function shownHosts(integration: CatalogIntegration, params: Params): string[] {
  return integration.hosts.flatMap((template) => {
    const filled = fillTemplate(integration, template, params);
    if (filled !== null) return [shownOrigin(originOf(filled))];
    const rule = decidingField(integration, template)?.host;
    return Array.isArray(rule) ? rule.map((form) => template.replace(PLACEHOLDER, form)) : [template];
  });
}

/** An origin for people: a host alone is one over https. */
export function shownOrigin(origin: string): string {
  return origin.replace(/^https:\/\//, "");
}

/** The host template with its param put in, null if that is missing or unfit; of a base URL the origin. */
function fillTemplate(integration: CatalogIntegration, template: string, params: Params): string | null {
  const field = decidingField(integration, template);
  if (!field?.host) return template;
  const read = readHostParam(field.host, params[field.name]);
  return "value" in read ? template.replace(PLACEHOLDER, read.value) : null;
}

/** The param that a host template holds, undefined for an exact host. */
function decidingField({ params }: CatalogIntegration, template: string) {
  const [, name] = PLACEHOLDER.exec(template) ?? [];
  return params.find((field) => field.name === name);
}

const originOf = (filled: string) => (filled.includes("://") ? filled : `https://${filled}`);
const hostOf = (origin: string) => origin.replace(/^\w+:\/\//, "");
const isStored = (param: unknown) => param !== undefined && param !== null && param !== "";

/** Whether a text is a host name of labels only, written in ASCII. */
function isHost(text: string): boolean {
  return text.length <= MAX_HOST_CHARS && text.split(".").every((label) => LABEL.test(label));
}

/** Whether a host matches one of these patterns, in which `*` stands for part of a label. */
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
