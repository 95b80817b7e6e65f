import type { Interpreters } from "../../derive/ask.js";

/** Converts language names to codes. */
export const assistantInterpreters: Interpreters = {
  language: async (typed) => (await import("./languages.js")).toLanguageCode(typed),
};
