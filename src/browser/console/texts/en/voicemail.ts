/** What a call does when a machine answers. */
export const voicemail = {
  label: "When a machine answers",
  choices: {
    hang_up: "Hang up",
    leave_message: "Leave a message",
    continue: "Let the agent talk to it",
    off: "Don't detect machines",
  },
};
