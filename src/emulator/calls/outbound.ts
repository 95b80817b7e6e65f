import type { Row } from "../../base/database.js";
import { cooldownSeconds } from "../../contract/limits.js";
import type { Context } from "../context.js";
import { planAnalyses, planConversation } from "./conversation.js";
import { planOutbound } from "./life-cycle.js";
import { insertCall } from "./store.js";

/**
 * Values that a call copies from its assistant at the start, so that later changes to the assistant don't
 * affect the call (public.operations.6a).
 */
export interface CallingAssistant {
  id: string;
  organizationId: string;
  phoneNumber: string | null;
  language: string;
  introduction: string;
  /** Destinations that the assistant may not call (public.operations.12f). */
  blockedNumbers: readonly string[];
}

export function toCallingAssistant(row: Row): CallingAssistant {
  return {
    id: String(row["id"]),
    organizationId: String(row["organization_id"]),
    phoneNumber: row["phone_number"] === null ? null : String(row["phone_number"]),
    language: String(row["language"]),
    introduction: String(row["introduction"]),
    blockedNumbers: JSON.parse(String(row["blocked_numbers"])),
  };
}

export type Obstacle =
  | { type: "blocked" }
  /** The assistant made a call less than a minute ago. */
  | { type: "cooldown"; endsAt: number };

/** The Public API and the legacy API share these checks, but have different error messages. */
export function findObstacle(
  context: Context,
  assistant: CallingAssistant,
  to: string,
): Obstacle | undefined {
  // Check blocked numbers first: this error must be reported even during the cooldown (public.operations.12f,
  // D-order).
  if (assistant.blockedNumbers.includes(to)) return { type: "blocked" };
  const endsAt = findCooldownEnd(context, assistant.id);
  // public.limits.1
  return context.now < endsAt ? { type: "cooldown", endsAt } : undefined;
}

export function placeOutboundCall(
  context: Context,
  assistant: CallingAssistant,
  to: string,
  details: string | undefined,
): string {
  const callId = context.newId();
  const plan = planOutbound(to, context.now);
  const transcript = planConversation({
    direction: "outbound",
    language: assistant.language,
    introduction: assistant.introduction, // public.operations.6a
    details: details ?? null,
    durationSeconds: plan.durationSeconds,
  });
  insertCall(context.database, {
    id: callId,
    organizationId: assistant.organizationId,
    assistantId: assistant.id,
    assistantPhone: assistant.phoneNumber,
    direction: "outbound",
    from: assistant.phoneNumber,
    to,
    plan,
    details: details ?? null,
    transcript,
    analyses: planAnalyses(transcript),
    notes: [],
  });
  return callId;
}

/** Every outbound call starts a cooldown, regardless of the API (D-cooldown). */
function findCooldownEnd(context: Context, assistantId: string): number {
  const row = context.database
    .prepare(
      "SELECT created_at FROM calls WHERE assistant_id = ? AND direction = 'outbound' ORDER BY created_at DESC LIMIT 1",
    )
    .get(assistantId);
  return row ? Number(row["created_at"]) + cooldownSeconds * 1_000 : 0;
}
