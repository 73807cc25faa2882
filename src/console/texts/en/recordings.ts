/** Recordings of calls. */
export const recordings = {
  title: "Recordings",
  one: "Recording",
  lead: "What the carriers recorded of your calls, newest first.",
  emptyTitle: "No recordings yet",
  empty:
    "A recording appears here once a recorded call is over and its carrier has sent the audio. Whether calls are recorded is set for all of them in the call settings, or for one call or campaign.",
  emptyAction: "Open the call settings",
  noMatchTitle: "No recording matches these filters",
  noMatch: "Clear the filters to see all of them.",
  clearFilters: "Clear the filters",
  ofOneCall: "Only of one call.",
  columns: { with: "With", made: "When", agent: "Agent", campaign: "Campaign", length: "Length", size: "Size" },
  unknownLength: "Not told",
  facts: {
    number: "Number",
    agent: "Agent",
    campaign: "Campaign",
    made: "Arrived",
    length: "Length",
    size: "Size",
    format: "Format",
    id: "Recording id",
  },
  showCall: "Show the call",
  showConversation: "Show what was said",
  download: "Download",
  deleteTitle: "Delete this recording?",
  deleteBody:
    "The audio is gone for good, and a late report of the carrier does not bring it back. What was said stays to be read. This cannot be undone.",
  deleted: "The recording is deleted.",
};
