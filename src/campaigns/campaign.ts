import { DurableObject } from "cloudflare:workers";
export class Campaign extends DurableObject<Env> {
  async wake(): Promise<void> {}
}
