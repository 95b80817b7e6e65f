import type { rules } from "../../contract/control/rules.js";
import type { ControlHandlers } from "./handlers.js";

export const ruleHandlers: ControlHandlers<typeof rules> = {
  "rules.list": {
    // The catalogue is read by who asks for it only.
    prepare: async () => {
      const { catalogue, toldOf } = await import("../rules/catalogue.js");
      return () => [...catalogue.values()].map(toldOf);
    },
  },
  "operations.list": {
    prepare: async () => {
      const { operations } = await import("../../contract/contract.js");
      return () =>
        Object.entries(operations).map(([name, { surface, method, path, summary }]) => ({
          name,
          surface,
          method,
          path,
          summary,
        }));
    },
  },
};
