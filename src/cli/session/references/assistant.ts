import type { Referable } from "./references.js";

export const assistant: Referable = {
  list: "assistants.list",
  noun: "assistant",
  distinction: "phone_number",
};
