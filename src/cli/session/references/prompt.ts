import type { promptTypes } from "../../../contract/public/prompts.js";
import type { Referable } from "./references.js";

export function promptOf(kind: (typeof promptTypes)[number]): Referable {
  return { list: "prompts.list", noun: `${kind} prompt`, where: { kind } };
}
