import type { Service } from "../service.ts";

/** A journey to count: prepares its requirements and returns the function to count. */
export type Journey = (service: Service, round: number) => Promise<() => Promise<unknown>>;

const TO_NUMBER = "+13035550110";
const NUMBER = "+12025550100";

interface Named {
  id: string;
}

function agentOf({ client }: Service, fields: object = {}): Promise<Named> {
  return client.post<Named>("/api/v1/agents", Object.assign({ name: "Ada", status: "active" }, fields));
}

const contacts = (round: number) =>
  new Blob([`phone_number,name\n+130355501${10 + 2 * round},Ada\n+130355501${11 + 2 * round},Bob\n`]);

/** A tester who talks to an agent over a socket. */
class Tester {
  readonly #socket: WebSocket;
  #hear: () => void = () => {};

  private constructor(url: string, access_token: string) {
    this.#socket = new WebSocket(url);
    this.#socket.addEventListener("open", () => this.#send({ type: "session", access_token }));
    this.#socket.addEventListener("message", ({ data }) => {
      if ((JSON.parse(String(data)) as { type: string }).type === "message") this.#hear();
    });
  }

  /** Resolves when the agent has greeted. */
  static async greeted({ base, client }: Service): Promise<Tester> {
    const { id } = await client.post<Named>("/api/v1/agents", { name: "Ada", greeting_message: "Hello." });
    const { access_token } = await client.post<{ access_token: string }>(`/api/v1/agents/${id}/session`);
    const tester = new Tester(`${base.replace(/^http/, "ws")}/runtime`, access_token);
    await tester.#heard();
    return tester;
  }

  /** Says something, and resolves when the agent has answered. */
  async ask(): Promise<void> {
    const heard = this.#heard();
    this.#send({ type: "message", id: crypto.randomUUID(), text: "When are you open?" });
    await heard;
  }

  #heard(): Promise<void> {
    return new Promise((resolve) => {
      this.#hear = resolve;
    });
  }

  #send(frame: object): void {
    this.#socket.send(JSON.stringify(frame));
  }
}

/** The journeys by their names on the command line. */
export const JOURNEYS: Record<string, Journey> = {
  "agents-kept": async ({ client }) => {
    await client.text("/api/v1/agents");
    return () => client.text("/api/v1/agents");
  },
  "agents-missed": async (service) => {
    await agentOf(service);
    return () => service.client.text("/api/v1/agents");
  },
  upload: async (service, round) => () => service.upload(contacts(round)),
  call: async (service) => {
    const { id: agent_id } = await agentOf(service);
    const order = { agent_id, from_number: NUMBER, to_number: TO_NUMBER };
    return () => service.client.post("/api/v1/calls/originate", order);
  },
  campaign: async (service, round) => {
    const { id } = await service.upload(contacts(round));
    return () => service.client.post(`/api/v1/campaigns/${id}/start`);
  },
  words: async (service) => {
    const tester = await Tester.greeted(service);
    return () => tester.ask();
  },
  publish: async (service) => {
    const { id } = await agentOf(service, { versioning: "manual" });
    return () => service.client.post(`/api/v1/agents/${id}/publish`);
  },
  erasure: async (service) => {
    const { id: agent_id } = await agentOf(service);
    const order = { agent_id, from_number: NUMBER, to_number: TO_NUMBER };
    await service.client.post("/api/v1/calls/originate", order);
    return () => service.owner.post("/api/v1/erasures", { phone_number: TO_NUMBER });
  },
};
