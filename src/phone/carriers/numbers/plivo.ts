import { z } from "zod";
import { CarrierRefusal, CarrierUncertain } from "../carrier.ts";
import type { Api } from "../http.ts";
import { digits, plus } from "../media.ts";
import {
  type CarrierNumbers,
  capabilitiesOf,
  type InboundTarget,
  judgeWebhook,
  leadsTo,
  readPages,
  type Verdict,
} from "./numbers.ts";

/** Plivo's largest page. */
const PAGE_ROWS = 20;
/** Pages of applications searched for the one of these credentials. */
const MAX_APPLICATION_PAGES = 10;

const text = z.string().nullish();
const number = z.object({
  number: z.string(),
  application: text,
  voice_enabled: z.boolean().nullish(),
  sms_enabled: z.boolean().nullish(),
  mms_enabled: z.boolean().nullish(),
});
type PlivoNumber = z.infer<typeof number>;
const application = z.object({
  app_id: z.string().min(1),
  app_name: text,
  answer_url: text,
  answer_method: text,
  enabled: z.boolean().nullish(),
});
type Application = z.infer<typeof application>;
const page = z.object({ objects: z.array(z.unknown()), meta: z.object({ next: text }).nullish() });
const created = z.object({ app_id: z.string().min(1) });

/**
 * Returns access to the numbers of a Plivo account. A number is assigned to an XML application, which contains the
 * address. Only applications created by this service are changed. A number that is configured through this service is
 * assigned to one of them.
 */
export function plivoNumbers(api: Api, now: () => number): CarrierNumbers {
  const read = async (kind: "Number" | "Application", offset: number) => {
    const answer = page.safeParse((await api.send({ path: `/${kind}/?limit=${PAGE_ROWS}&offset=${offset}` })).body);
    if (!answer.success)
      throw new CarrierRefusal("outage", `plivo sent a response without a list of ${kind.toLowerCase()}s`);
    const { objects, meta } = answer.data;
    return { objects, next: meta?.next && objects.length > 0 ? offset + objects.length : null };
  };
  const find = async (e164: string): Promise<PlivoNumber | undefined> => {
    const { body } = await api.send({ path: `/Number/${digits(e164)}/`, accept: [404] });
    return number.safeParse(body).data;
  };
  const applicationOf = async (found: PlivoNumber): Promise<Application | null> => {
    const id = /\/Application\/([^/]+)\/?$/.exec(found.application ?? "")?.[1];
    if (id === undefined) return null;
    const { body } = await api.send({ path: `/Application/${encodeURIComponent(id)}/`, accept: [404] });
    return application.safeParse(body).data ?? null;
  };
  /** Finds the application for calls to the target: one with this address, or an earlier one of these credentials. */
  const findOwn = async (target: InboundTarget): Promise<Application | undefined> => {
    let offset: number | null = 0;
    for (let pages = 0; offset !== null && pages < MAX_APPLICATION_PAGES; pages++) {
      const list: { objects: unknown[]; next: number | null } = await read("Application", offset);
      const apps = list.objects.flatMap((entry) => application.safeParse(entry).data ?? []);
      const own = apps.find((app) => isReady(app, target)) ?? apps.find(({ app_name }) => app_name === nameFor(target));
      if (own) return own;
      offset = list.next;
    }
    return undefined;
  };
  const ownApplication = async (target: InboundTarget): Promise<{ id: string; done: string }> => {
    const { address } = target;
    const json = { answer_url: address, answer_method: "POST", hangup_url: address, hangup_method: "POST" };
    const own = await findOwn(target);
    if (own && isReady(own, target)) return { id: own.app_id, done: "" };
    if (own) {
      await api.send({ method: "POST", path: `/Application/${encodeURIComponent(own.app_id)}/`, json });
      return { id: own.app_id, done: `The address of the application ${nameFor(target)} at Plivo was set. ` };
    }
    const named = { app_name: nameFor(target), ...json };
    const { data } = created.safeParse((await api.send({ method: "POST", path: "/Application/", json: named })).body);
    if (!data) throw new CarrierUncertain("plivo sent a response without an application");
    return { id: data.app_id, done: `The application ${nameFor(target)} was created at Plivo. ` };
  };

  return {
    list: () =>
      readPages(0, now, async (offset) => {
        const { objects, next } = await read("Number", offset);
        return { numbers: objects.flatMap((entry) => number.safeParse(entry).data ?? []).map(shown), next };
      }),
    async look(e164, target) {
      const found = await find(e164);
      if (!found) return null;
      const app = await applicationOf(found);
      return { in_service: { ok: true, detail: "" }, inbound: inboundOf(found, app, target) };
    },
    async setInbound(e164, target) {
      const { id, done } = await ownApplication(target);
      await api.send({ method: "POST", path: `/Number/${digits(e164)}/`, json: { app_id: id } });
      return `${done}The number was assigned to the application ${id}.`;
    },
  };
}

/** Returns the name of an application. Plivo accepts letters, digits, hyphens and underscores. */
function nameFor({ credentials_id }: InboundTarget): string {
  return `switchboard-${credentials_id}`;
}

function isReady({ answer_url, answer_method, enabled }: Application, target: InboundTarget): boolean {
  return leadsTo(answer_url, target) && (answer_method ?? "POST") === "POST" && enabled !== false;
}

function shown({ number: e164, voice_enabled, sms_enabled, mms_enabled }: PlivoNumber) {
  return {
    e164: plus(e164),
    capabilities: capabilitiesOf({ voice: voice_enabled, sms: sms_enabled, mms: mms_enabled }),
  };
}

function inboundOf({ application: assigned }: PlivoNumber, app: Application | null, target: InboundTarget): Verdict {
  if (!assigned) return { ok: false, detail: "The number is not assigned to an application at Plivo." };
  if (!app) return { ok: false, detail: "What the number is assigned to at Plivo is not an XML application." };
  const application = `the application ${app.app_name ?? app.app_id} at Plivo`;
  if (app.enabled === false)
    return { ok: false, detail: `Incoming calls go to ${application}, which is switched off: switch it on there.` };
  return judgeWebhook({ url: app.answer_url, method: app.answer_method ?? "POST" }, target, `by ${application}`);
}
