import type { Interpreters } from "../../derive/ask.js";

/** A language's name means its code. */
export const assistantInterpreters: Interpreters = {
  language: async (typed) => (await import("./languages.js")).toLanguageCode(typed),
};
