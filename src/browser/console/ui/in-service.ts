import type { Body } from "../api/client.ts";
import type { Tone } from "./tone.ts";

type Agent = Pick<Body<"Agent">, "status" | "versioning" | "published_version" | "in_service">;
export type ServiceState = "in_service" | "out_of_service" | "not_published" | "draft" | "archived";
export type Channel = keyof Body<"InService">;
export const CHANNELS: readonly Channel[] = ["phone", "campaigns", "widget"];

export const STATE_TONES: Record<ServiceState, Tone> = {
  in_service: "ok",
  out_of_service: "warn",
  not_published: "warn",
  draft: "info",
  archived: "idle",
};

export function serviceState({ status, versioning, published_version, in_service }: Agent): ServiceState {
  if (status === "archived") return "archived";
  if (versioning === "manual" && published_version === null) return "not_published";
  if (status === "draft") return "draft";
  return CHANNELS.some((channel) => isServed(in_service[channel])) ? "in_service" : "out_of_service";
}

/** Checks whether the channel is in service. A channel that serves only signed-in visitors counts too. */
export function isServed({ ready, reason }: Body<"ChannelService">): boolean {
  return ready || reason === "sign_in_required";
}

/** Checks whether channels can differ. An archived or unpublished agent is out of service on all of them. */
export function differsByChannel(agent: Agent): boolean {
  const state = serviceState(agent);
  return state !== "archived" && state !== "not_published";
}

export function awaitsService(agent: Agent): boolean {
  const state = serviceState(agent);
  return state === "draft" || state === "not_published";
}
