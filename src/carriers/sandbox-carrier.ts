import { DurableObject } from "cloudflare:workers";
export class SandboxCarrier extends DurableObject<Env> {}
