import { expect, it } from "vitest";
import { launcher, panel, serve, visit } from "./visit.ts";
import { installLab, labOf } from "./voice-lab.ts";

serve({});

interface Turn {
  role: string;
  text: string;
  interrupted: boolean;
}

it("an interruption of the built-in runtime by voice leaves the spoken words in the record", async () => {
  const { page, account } = await visit({
    attributes: async () => 'data-voice="on"',
    prepare: (page) => installLab(page, {}),
  });
  const { server, agent } = account;
  const faq = await server<{ id: string }>("POST", "/api/v1/faqs", {
    name: "hours",
    title: "Opening hours",
    summary: "When we are open",
    content: "We are open from nine to five. On Sundays we are closed.",
  });
  await server("POST", `/api/v1/agents/${agent.id}/faqs`, { faq_id: faq.id });
  await launcher(page).click();
  await panel(page).getByRole("button", { name: "Talk by voice" }).click();
  const voice = labOf(page);
  const now = async () => (await voice.spoken()).at(-1);
  await expect.poll(now).toBe("Hello, I am Ada.");
  await voice.spokenToEnd();
  await expect.poll(now).toBe("What can I do for you?");
  await voice.spokenToEnd();
  await voice.final("When are you open?");
  await expect.poll(now).toMatch(/Opening hours”: /);
  const beginning = `${(await now())?.split(":")[0]}:`;
  await voice.reaches(beginning.length + 1);
  await voice.interim("goodbye");
  await voice.final("Goodbye!");
  // The conversation is then over and the microphone is off, but the last words are still spoken.
  await page.getByText("This conversation has ended.").waitFor();
  expect([await voice.listening(), await voice.tracks()]).toEqual([["over"], ["ended"]]);
  expect(await now()).toBe("Thank you.");
  await voice.spokenToEnd();
  await expect.poll(now).toBe("Goodbye, and have a good day.");

  const turns = async () => {
    const { conversations } = await server<{ conversations: { id: string }[] }>("GET", "/api/v1/conversations");
    const id = conversations[0]?.id;
    if (!id) return [];
    return (await server<{ turns: Turn[] }>("GET", `/api/v1/conversations/${id}`)).turns.filter(
      ({ role }) => role !== "tool",
    );
  };
  await expect
    .poll(turns)
    .toMatchObject([
      { role: "agent", text: "Hello, I am Ada. What can I do for you?", interrupted: false },
      { role: "user", text: "When are you open?" },
      { role: "agent", text: beginning, interrupted: true },
      { role: "user", text: "Goodbye!" },
      { role: "agent" },
    ]);
});
