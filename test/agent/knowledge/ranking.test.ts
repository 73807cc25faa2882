import { describe, expect, it } from "vitest";
import { tenant } from "../../support/client.ts";
import { newAgent, readyText, search } from "./support.ts";

const LIFT = "The lift of Norwood Court leads to floor 2.";
const GARAGE = "My colleagues say that she can go if she cannot get into the garage.";

describe("a search in a small set", () => {
  it("ranks passages about the question's topic before those that share only its common words", async () => {
    const { server } = await tenant();
    await readyText(server, "Lift", LIFT);
    await readyText(server, "Garage", GARAGE);
    const found = await search(server, "My mother cannot climb stairs: can she get into Norwood Court?");
    expect(found.map(({ title }) => title)).toEqual(["Lift"]);
  });

  it("ranks FAQs and documents by the same words", async () => {
    const { server } = await tenant();
    const { id } = await readyText(server, "Garage", GARAGE);
    const faq = { name: "lift", title: "Lift", content: LIFT };
    const { body } = await server.post<{ id: string }>("/api/v1/faqs", faq);
    const agent = await newAgent(server);
    await server.post(`/api/v1/agents/${agent}/faqs`, { faq_id: body.id });
    await server.post(`/api/v1/agents/${agent}/knowledge`, { document_id: id });
    const found = await search(server, "Can she get into Norwood Court?", { agent_id: agent });
    expect(found[0]?.faq_id).toBe(body.id);
  });

  it("finds passages by common words if the question has no others", async () => {
    const { server } = await tenant();
    await readyText(server, "About", "Who we are: the people of Norwood.");
    expect((await search(server, "Who are you?")).map(({ title }) => title)).toEqual(["About"]);
  });

  it.each([
    ["de", "Was passiert, wenn ich nicht in die Praxis kommen kann?", "Praxis", "Die Praxis ist am Montag zu."],
    ["ja", "母は受付に行けますか。", "受付", "受付は二階です。"],
  ])("a search in a small set does not rank a passage in %s by its common words", async (_, query, title, text) => {
    const { server } = await tenant();
    await readyText(server, title, text);
    await readyText(server, "Other", "Wenn ich nicht will, was dann? しますか。では、の、に、は。");
    expect((await search(server, query))[0]?.title).toBe(title);
  });
});
