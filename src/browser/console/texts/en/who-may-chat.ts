/** Texts that say who may chat with an agent through a widget. */
export const whoMayChat = {
  question: "Who may chat?",
  answers: { anyone: "Anyone", signed_in: "Signed-in visitors only" },
  hints: {
    anyone: "Guests can chat without signing in. Phone calls aren't affected.",
    signed_in:
      "Only visitors your site has identified. Guests see “Please sign in to chat.” Phone calls aren't affected.",
  },
};
