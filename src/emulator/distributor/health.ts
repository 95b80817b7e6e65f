import type { distributorHealth } from "../../contract/distributor/health.js";
import { interfaceVersion } from "../../contract/version.js";
import type { Context, Handlers } from "../context.js";
import { isoTime } from "../kernel/clock.js";

export const distributorHealthHandlers: Handlers<typeof distributorHealth, Context> = {
  // This path requires no key and has no rate limit (v1.health, D-v1-id).
  "distributor.health": (context) => ({
    status: "ok",
    version: interfaceVersion,
    timestamp: isoTime(context.now),
  }),
};
