import type { ui } from "../../contract/control/ui.js";
import { uiPath } from "../paths.js";
import type { ControlHandlers } from "./handlers.js";

export const uiHandlers: ControlHandlers<typeof ui> = {
  "uiTickets.create": {
    prepare: async ({ issueTicket, startLine }) => {
      const path = `${uiPath}?ticket=${await issueTicket()}`;
      return () => ({ path, url: startLine().url + path });
    },
  },
};
