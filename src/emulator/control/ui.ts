import { uiPath } from "../paths.js";
import { type ControlCall, controlCall } from "./call.js";

export const uiCalls: readonly ControlCall[] = [
  controlCall({
    method: "POST",
    path: "/ui-tickets",
    success: 201,
    prepare: ({ issueTicket }) => issueTicket(),
    run: ({ startLine }, _input, ticket) => {
      const path = `${uiPath}?ticket=${ticket}`;
      return { path, url: startLine().url + path };
    },
  }),
];
