import { describe, expect, it } from "vitest";
import { tenant } from "../../support/client.ts";

describe("an agent", () => {
  it("an agent is created with defaults, read, changed and deleted", async () => {
    const { server } = await tenant();
    const created = await server.post<{ id: string }>("/api/v1/agents", { name: "Ada", id: "ignored", unknown: 1 });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ name: "Ada", status: "draft", background_audio_volume: 0.5 });
    const path = `/api/v1/agents/${created.body.id}`;
    expect((await server.get(path)).body).toEqual(created.body);
    expect((await server.get<unknown[]>("/hub-api/v1/agents")).body).toHaveLength(1);
    const changed = await server.patch(path, { system_prompt: "Be kind." });
    expect(changed.body).toMatchObject({ system_prompt: "Be kind." });
    expect((await server.delete(path)).status).toBe(204);
    expect((await server.get(path)).status).toBe(404);
  });
});
