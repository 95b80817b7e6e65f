import type { distributorHealth } from "../../contract/distributor/health.js";
import { interfaceVersion } from "../../contract/version.js";
import type { Handlers, KeylessContext } from "../context.js";
import { isoTime } from "../kernel/clock.js";

export const distributorHealthHandlers: Handlers<typeof distributorHealth, KeylessContext> = {
  // v1.health, D-v1-id
  "distributor.health": (context) => ({
    status: "ok",
    version: interfaceVersion,
    timestamp: isoTime(context.now),
  }),
};
