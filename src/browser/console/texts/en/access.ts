const scopes = {
  read: "reading the account",
  listen: "listening to conversations",
  build: "changing agents, tools and knowledge",
  connect: "changing integrations, carriers and phone numbers",
  dial: "placing calls and running campaigns",
  manage: "managing members, keys, settings and budgets",
  runtime: "running conversations",
};

type Scope = keyof typeof scopes;

/** Texts for roles, and for parts of the console that a role may not use. */
export const access = {
  roles: {
    owner: "Owner",
    admin: "Admin",
    builder: "Builder",
    operator: "Operator",
    analyst: "Analyst",
    viewer: "Viewer",
  },
  /** What each role may do, shown where a role is chosen. */
  roleHints: {
    owner: "Can do everything, including making other people owners.",
    admin: "Can do everything except make or change owners.",
    builder:
      "Can change agents, tools, knowledge, integrations, carriers and phone numbers, and listen to conversations. Can't store more of what is said, or change who calls are transferred to.",
    operator: "Can place calls, run campaigns, change the do-not-call list, and listen to conversations.",
    analyst:
      "Can view agents, campaigns, calls, widget keys and settings, and listen to conversations. Can't change them.",
    viewer:
      "Can view agents, campaigns, calls, widget keys and settings, but not conversations or contacts' details. Can't change them.",
  },
  notAllowedTitle: "Your role doesn't include this",
  notAllowed: (role: string, scope: Scope) =>
    `Your role, ${role}, doesn't include ${scopes[scope]}. An owner or admin of the account can change that.`,
  readOnly: (role: string, scope: Scope) =>
    `You can look but not change anything here: your role, ${role}, doesn't include ${scopes[scope]}. An owner or admin can change that.`,
  refused: (why: string) => `${why}. An owner or admin of the account can change that.`,
  hiddenShort: "Hidden",
  hidden: "Hidden: your role doesn't include listening to conversations.",
  hiddenContacts: "Hidden: your role doesn't include placing calls or listening to conversations.",
};
