import { type ControlCall, controlCall } from "./call.js";

export const ruleCalls: readonly ControlCall[] = [
  controlCall({
    method: "GET",
    path: "/rules",
    list: true,
    // The catalogue is read by who asks for it only.
    prepare: () => import("../rules/catalogue.js"),
    run: (_context, _input, { catalogue }) => [...catalogue.values()],
  }),
  controlCall({
    method: "GET",
    path: "/operations",
    list: true,
    prepare: () => import("../../contract/contract.js"),
    run: (_context, _input, { operations }) =>
      Object.entries(operations).map(([name, { surface, method, path, summary }]) => ({
        name,
        surface,
        method,
        path,
        summary,
      })),
  }),
];
