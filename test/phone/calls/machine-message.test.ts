import { describe, expect, it } from "vitest";
import { speechTime } from "../../../src/kernel/speech-time.ts";
import { messageTemplate } from "../../../src/phone/calls/machine-message.ts";
import { messageUntil } from "../../../src/phone/calls/voicemail.ts";

describe("the message that is left on a machine", () => {
  it.each([
    ["the campaign's", "Campaign.", "Agent.", "Hello.", "Campaign."],
    ["the agent's if the campaign has none", "", "Agent.", "Hello.", "Agent."],
    ["the agent's if the campaign's is blank", " \n", "Agent.", "Hello.", "Agent."],
    ["the greeting if there is no message", "", "", "Hello.", "Hello."],
    ["empty if there is no greeting either", "", " ", "", ""],
  ])("the message left on a machine is %s", (_, ofCampaign, voicemail_message, greeting_message, message) => {
    expect(messageTemplate({ voicemail_message, greeting_message }, ofCampaign)).toBe(message);
  });

  it.each(["Please call us back at 202 555 0143. ".repeat(40), "请给我们回电。".repeat(200)])(
    "the message that is left on a machine gets the time that a slow voice needs, in any script: %.9s",
    (text) => {
      expect(messageUntil(text, 0, 0)).toBeGreaterThanOrEqual(1.5 * speechTime(text));
    },
  );
});
