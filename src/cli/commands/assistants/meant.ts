import type { Meant } from "../../derive/ask.js";

/** What is meant by a language's name, where others have its code. */
export const meant: Meant = {
  language: async (typed) => (await import("./languages.js")).languageMeant(typed),
};
