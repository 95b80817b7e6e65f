import type { promptTypes } from "../../../contract/public/prompts.js";
import type { Referable } from "./references.js";

/** Returns a reference to a prompt of this `kind`, by name or ID. */
export function promptOf(kind: (typeof promptTypes)[number]): Referable {
  return { list: "prompts.list", noun: `prompt of kind ${kind}`, where: { kind } };
}
