import type { rules } from "../../contract/control/rules.js";
import type { ControlHandlers } from "./handlers.js";

export const ruleHandlers: ControlHandlers<typeof rules> = {
  "rules.list": {
    // Load the list of API rules on demand, because only these operations need it.
    prepare: async () => {
      const { catalog, toRuleView } = await import("../rules/catalog.js");
      return () => [...catalog.values()].map(toRuleView);
    },
  },
  "operations.list": {
    prepare: async () => {
      const { operations } = await import("../../contract/contract.js");
      return () =>
        Object.entries(operations).map(([name, { api, method, path, summary }]) => ({
          name,
          surface: api,
          method,
          path,
          summary,
        }));
    },
  },
};
