import { describe, expect, it } from "vitest";
import { atAgent, button, stored } from "./at-agent.ts";
import { expectFit, serveConsole } from "./operator.ts";

serveConsole();

describe("an agent's models", () => {
  it("an agent's models are chosen by name, price and whether they are connected", async () => {
    const operator = await atAgent("/settings");
    const { page, account } = operator;
    const install = (name: string, body: object) =>
      account.server("POST", `/api/v1/integrations/${name}/install`, body);
    await install("openai", { secrets: { api_key: "sk-test" } });
    await install("custom_llm", {
      params: { base_url: "https://models.acme.example/v1", models: "llama3.3" },
      secrets: { api_key: "k" },
    });
    await page.reload();
    const fallback = page.getByLabel("Fallback model");
    const choice = fallback.getByRole("option", { name: "GPT-6 Luna" });
    await choice.waitFor({ state: "attached" });
    expect(await choice.textContent()).toBe("GPT-6 Luna, $0.10 in, $0.50 out per million tokens");
    const missing = fallback.getByRole("option", { name: "Claude Sonnet 5" });
    expect([await missing.textContent(), await missing.isDisabled()]).toEqual(["Claude Sonnet 5, not connected", true]);
    await page.getByText("GPT-4o ends on Jan 14, 2027; after that, GPT-6 Luna answers.").waitFor();
    await page.getByLabel("Language model").selectOption("custom_llm:llama3.3");
    await fallback.selectOption("gpt-6-luna");
    await button(page, "Save changes").click();
    await expect
      .poll(() => stored(operator))
      .toMatchObject({ llm_model: "custom_llm:llama3.3", fallback_model: "gpt-6-luna" });
    await expectFit(operator, "agent-models");
  });
});
