import type { legacy } from "../../contract/legacy/legacy.js";
import { interfaceVersion } from "../../contract/version.js";
import { findObstacle, placeOutboundCall, toCallingAssistant } from "../calls/outbound.js";
import type { Handlers } from "../context.js";
import { isoTime } from "../kernel/clock.js";
import { secondsUntil } from "../policy.js";
import { refuse } from "./policy.js";

export const legacyHandlers: Handlers<typeof legacy> = {
  "legacy.call": (context, { body }) => {
    const row = context.database
      .prepare("SELECT * FROM assistants WHERE phone_number = ? AND organization_id = ?")
      .get(body.assistantPhoneNumber, context.organization.id);
    if (!row) {
      throw refuse(
        "ASSISTANT_NOT_FOUND",
        "legacy.assistant",
        `no assistant has the number ${body.assistantPhoneNumber}`,
      );
    }
    const assistant = toCallingAssistant(row);
    const obstacle = findObstacle(context, assistant, body.targetPhoneNumber);
    // D-legacy-limit
    if (obstacle?.type === "blocked") {
      throw refuse("CALL_FAILED", "legacy.failed", `${body.targetPhoneNumber} is blocked for this assistant`);
    }
    // `Retry-After` is the remaining cooldown (legacy.limit, D-legacy-limit).
    if (obstacle?.type === "cooldown") {
      const seconds = secondsUntil(obstacle.endsAt, context.now);
      throw refuse(
        "RATE_LIMIT_EXCEEDED",
        "legacy.limit",
        `this assistant made a call less than 60 s ago; wait ${seconds} s`,
        { "Retry-After": String(seconds) },
      );
    }
    // Check the fault last, so that a call that is refused for another reason doesn't use up the fault
    // (D-fault-late).
    if (context.strikes("call_failure")) {
      throw refuse("CALL_FAILED", "legacy.failed", "the call could not be placed");
    }
    return {
      callId: placeOutboundCall(context, assistant, body.targetPhoneNumber, body.details),
      assistantPhoneNumber: body.assistantPhoneNumber,
      targetPhoneNumber: body.targetPhoneNumber,
      timestamp: isoTime(context.now),
    };
  },

  // Unlike the health operation of distributor API v1, this one requires a key (legacy.health,
  // D-legacy-health).
  "legacy.health": (context) => ({
    status: "ok",
    version: interfaceVersion,
    timestamp: isoTime(context.now),
  }),
};
