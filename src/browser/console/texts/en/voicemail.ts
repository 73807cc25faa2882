/** Texts for calls that are answered by a machine. */
export const voicemail = {
  label: "When a machine answers",
  choices: {
    hang_up: "Hang up",
    leave_message: "Leave a message",
    continue: "Let the agent talk to it",
    off: "Don't detect machines",
  },
};
