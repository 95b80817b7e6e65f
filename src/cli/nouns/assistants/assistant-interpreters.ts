import type { Interpreters } from "../../derive/ask.js";

export const assistantInterpreters: Interpreters = {
  language: async (typed) => (await import("./languages.js")).toLanguageCode(typed),
};
