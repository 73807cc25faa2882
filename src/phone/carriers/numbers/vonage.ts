import { z } from "zod";
import type { CarrierContext, CarrierReason } from "../carrier.ts";
import { CarrierRefusal } from "../carrier.ts";
import { type Answer, type Api, basic, connectApi } from "../http.ts";
import { digits, plus } from "../media.ts";
import {
  type CarrierNumbers,
  capabilitiesOf,
  type InboundTarget,
  judgeWebhook,
  readPages,
  type Verdict,
} from "./numbers.ts";

/** Vonage's largest page. */
const PAGE_ROWS = 100;

/** Vonage's account key and secret, needed for numbers and applications; calls use the application's key. */
export interface VonageAccount {
  application_id: string;
  api_key?: string | undefined;
  api_secret?: string | undefined;
}

const text = z.string().nullish();
const number = z.object({
  country: z.string(),
  msisdn: z.string(),
  features: z.array(z.string()).nullish(),
  app_id: text,
  moHttpUrl: text,
  voiceCallbackType: text,
  voiceCallbackValue: text,
  voiceStatusCallback: text,
});
type VonageNumber = z.infer<typeof number>;
// The response for an account without numbers is an empty object.
const page = z.object({ count: z.number().default(0), numbers: z.array(z.unknown()).default([]) });
const changed = z.object({ "error-code": z.coerce.string() });
const webhook = z.looseObject({ address: text, http_method: text });
const application = z.looseObject({
  name: z.string(),
  capabilities: z
    .looseObject({
      voice: z
        .looseObject({
          webhooks: z.looseObject({ answer_url: webhook.nullish(), event_url: webhook.nullish() }).nullish(),
          signed_callbacks: z.boolean().nullish(),
        })
        .nullish(),
    })
    .nullish(),
  keys: z.looseObject({ public_key: text }).nullish(),
  privacy: z.looseObject({}).nullish(),
});
type Application = z.infer<typeof application>;
const refusal = z.object({ "error-code-label": text, title: text, detail: text }).partial();

/**
 * Returns access to the numbers of a Vonage account. A number is linked to an application, which has the addresses. The
 * addresses therefore apply to all its numbers.
 * @throws CarrierRefusal from every method if the account's key isn't stored
 */
export function vonageNumbers(account: VonageAccount, context: CarrierContext): CarrierNumbers {
  const { application_id, api_key, api_secret } = account;
  if (!api_key || !api_secret) return { list: missingKey, look: missingKey, setInbound: missingKey };
  const base = context.env.VONAGE_API_URL;
  const style = {
    name: "vonage",
    authorization: () => basic(api_key, api_secret),
    recordingHosts: [],
    secrets: [api_secret],
    explain,
  };
  const api = connectApi(context, { ...style, base });
  const rest = connectApi(context, { ...style, base: restOf(base) });
  const path = `/v2/applications/${encodeURIComponent(application_id)}`;
  const read = async (query: string) => {
    const answer = page.safeParse((await rest.send({ path: `/account/numbers?${query}` })).body);
    if (!answer.success) throw new CarrierRefusal("outage", "vonage sent a response without a list of numbers");
    const { count, numbers } = answer.data;
    return { count, rows: numbers.length, numbers: numbers.flatMap((entry) => number.safeParse(entry).data ?? []) };
  };
  const find = async (e164: string) => {
    const pattern = digits(e164);
    const { numbers } = await read(`pattern=${pattern}&search_pattern=0&size=${PAGE_ROWS}&index=1`);
    return numbers.find(({ msisdn }) => msisdn === pattern);
  };
  const findApplication = async () => application.safeParse((await api.send({ path, accept: [404] })).body).data;

  return {
    list: () =>
      readPages(1, context.now, async (index) => {
        const { count, rows, numbers } = await read(`size=${PAGE_ROWS}&index=${index}`);
        return { numbers: numbers.map(shown), next: rows > 0 && index * PAGE_ROWS < count ? index + 1 : null };
      }),
    async look(e164, target) {
      const [found, app] = await Promise.all([find(e164), findApplication()]);
      if (!found) return null;
      return { in_service: { ok: true, detail: "" }, inbound: inboundOf(found, app, application_id, target) };
    },
    async setInbound(e164, target) {
      const [found, app] = await Promise.all([find(e164), findApplication()]);
      if (!found) throw new CarrierRefusal("rejected", "vonage does not have the number in this account");
      if (!app) throw new CarrierRefusal("rejected", NO_APPLICATION);
      const done: string[] = [];
      if (!announces(app, target).ok) {
        await api.send({ method: "PUT", path, json: withAddress(app, target) });
        done.push(
          `The answer and event addresses of the application ${application_id} at Vonage were set, for all its numbers.`,
        );
      }
      if (!isLinked(found, application_id)) {
        await link(rest, found, application_id);
        done.push(`The number was linked to the application ${application_id}.`);
      }
      return done.join(" ");
    },
  };
}

const NO_APPLICATION = "vonage does not have the credentials' application in this account";

const missingKey = (): Promise<never> =>
  Promise.reject(
    new CarrierRefusal(
      "auth",
      "vonage lists numbers only with the account's key: store the credentials again, including api_key and api_secret (dashboard, API settings)",
    ),
  );

/** Returns the host for managing numbers: a separate one at Vonage, otherwise the same. */
function restOf(base: string): string {
  const host = URL.canParse(base) ? new URL(base).hostname : "";
  return /(^|\.)(nexmo|vonage)\.com$/.test(host) ? "https://rest.nexmo.com" : base;
}

function shown({ msisdn, features }: VonageNumber) {
  const has = (name: string) => features?.includes(name) ?? false;
  return {
    e164: plus(msisdn),
    capabilities: capabilitiesOf({ voice: has("VOICE"), sms: has("SMS"), mms: has("MMS") }),
  };
}

/** Checks whether calls are forwarded to a SIP address or a telephone, which takes precedence over the application. */
function isForwarded({ voiceCallbackType }: VonageNumber): boolean {
  return voiceCallbackType === "sip" || voiceCallbackType === "tel";
}

function linkOf({ app_id, voiceCallbackType, voiceCallbackValue }: VonageNumber): string | null {
  return app_id || (voiceCallbackType === "app" && voiceCallbackValue) || null;
}

function isLinked(found: VonageNumber, applicationId: string): boolean {
  return !isForwarded(found) && linkOf(found) === applicationId;
}

function inboundOf(
  found: VonageNumber,
  app: Application | undefined,
  applicationId: string,
  target: InboundTarget,
): Verdict {
  if (!app)
    return {
      ok: false,
      detail: `V${NO_APPLICATION.slice(1)}: store credentials with the id of an application in the account.`,
    };
  if (isForwarded(found))
    return {
      ok: false,
      detail: `Vonage forwards calls to the number to a ${found.voiceCallbackType === "sip" ? "SIP address" : "telephone"}.`,
    };
  const linked = linkOf(found);
  if (linked === null) return { ok: false, detail: "The number is not linked to an application at Vonage." };
  if (linked !== applicationId)
    return { ok: false, detail: `The number is linked to another application at Vonage (${linked.slice(0, 50)}).` };
  return announces(app, target);
}

/** Checks whether the application reports calls and their events to this service and signs its reports. */
function announces(app: Application, target: InboundTarget): Verdict {
  const { webhooks, signed_callbacks } = app.capabilities?.voice ?? {};
  const judged = (hook: z.infer<typeof webhook> | null | undefined, by: string) =>
    // The default method is GET for an answer address and POST for an event address.
    judgeWebhook(
      { url: hook?.address, method: hook?.http_method ?? (by === "event" ? "POST" : "GET") },
      target,
      `by the application's ${by} URL`,
    );
  const answer = judged(webhooks?.answer_url, "answer");
  if (!answer.ok) return answer;
  const event = judged(webhooks?.event_url, "event");
  if (!event.ok) return event;
  if (signed_callbacks === false)
    return { ok: false, detail: "The application does not sign its webhooks, so this service refuses them." };
  return answer;
}

/**
 * Returns the application with this service's addresses and everything else unchanged, because PUT removes what it
 * doesn't contain.
 */
function withAddress(app: Application, { address }: InboundTarget): object {
  const { name, keys, privacy, capabilities } = app;
  const hooks = capabilities?.voice?.webhooks;
  const here = { address, http_method: "POST" };
  const webhooks = {
    ...hooks,
    answer_url: { ...hooks?.answer_url, ...here },
    event_url: { ...hooks?.event_url, ...here },
  };
  const voice = { ...capabilities?.voice, webhooks, signed_callbacks: true };
  return {
    name,
    capabilities: { ...capabilities, voice },
    ...(keys?.public_key && { keys: { public_key: keys.public_key } }),
    ...(privacy && { privacy }),
  };
}

/** Links the number and repeats its settings for messages and reports, which would be lost otherwise. */
async function link(rest: Api, found: VonageNumber, applicationId: string): Promise<void> {
  const { country, msisdn, moHttpUrl, voiceStatusCallback } = found;
  const form: [string, string][] = [
    ["country", country],
    ["msisdn", msisdn],
    ["app_id", applicationId],
  ];
  if (moHttpUrl) form.push(["moHttpUrl", moHttpUrl]);
  if (voiceStatusCallback) form.push(["voiceStatusCallback", voiceStatusCallback]);
  if (isForwarded(found)) form.push(["voiceCallbackType", "app"], ["voiceCallbackValue", applicationId]);
  const { body } = await rest.send({ method: "POST", path: "/number/update", form });
  const code = changed.safeParse(body).data?.["error-code"];
  if (code !== "200") throw new CarrierRefusal("rejected", `vonage did not link the number (${code ?? "no answer"})`);
}

function explain({ status, body }: Answer): { reason?: CarrierReason; text?: string } {
  const { title, detail, "error-code-label": label } = refusal.safeParse(body).data ?? {};
  const words = label || detail || title || "";
  return status === 403 ? { reason: "auth", text: words } : { text: words };
}
