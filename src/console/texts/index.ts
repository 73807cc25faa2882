/**
 * Every word the console says, one file an area, so that a language is one folder. A screen imports its area alone and
 * brings no other's words with it.
 */
export { common } from "./en/common.ts";
export { faqs } from "./en/faqs.ts";
export { shell } from "./en/shell.ts";
export { signIn } from "./en/sign-in.ts";
