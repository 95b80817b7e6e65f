import type { Control } from "./control.js";
import { type Row, rowsOf, text } from "./rows.js";

const originTexts: Readonly<Record<string, string>> = {
  specified: "specified in the service's documents",
  assumed: "assumed because the documents don't specify it",
  promise: "guaranteed by the emulator itself",
};

export interface Rulebook {
  all(): Promise<readonly Row[]>;
  find(id: string): Promise<Row | undefined>;
}

export function createRulebook(control: Control): Rulebook {
  let rules: Promise<readonly Row[]> | undefined;
  const all = () => {
    rules ??= control
      .get("/rules")
      .then(rowsOf)
      .catch((error: unknown) => {
        rules = undefined;
        throw error;
      });
    return rules;
  };
  return { all, find: async (id) => (await all()).find((rule) => text(rule, "id") === id) };
}

export function describeOrigin(rule: Row): string {
  return originTexts[text(rule, "kind")] ?? text(rule, "kind");
}
