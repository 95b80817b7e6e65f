import type { ping } from "../../contract/public/ping.js";
import type { Handlers } from "../context.js";
import { isoTime } from "../kernel/clock.js";

export const pingHandlers: Handlers<typeof ping> = {
  ping: (context) => ({ ok: true, now: isoTime(context.now) }), // public.endpoints.ping
};
