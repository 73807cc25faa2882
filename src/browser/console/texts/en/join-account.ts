/** Texts for joining another account of the user to the session. */
export const joinAccount = {
  title: "Join another account",
  lead: "Sign in to another account of yours to switch between both without signing in again. You can do in each what your role there includes. This lasts until you sign out.",
  tooMany: "Ten accounts are already joined. Sign out to start over.",
};
