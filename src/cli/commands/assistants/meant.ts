import type { Meant } from "../../derive/ask.js";

/** A language's name means its code. */
export const meant: Meant = {
  language: async (typed) => (await import("./languages.js")).languageMeant(typed),
};
