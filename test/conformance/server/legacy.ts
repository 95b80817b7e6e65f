import { isFields, Refusal } from "./exchange.js";
import type { Handler } from "./service.js";
import { fieldsOf, type ServiceState, type Setting } from "./service-state.js";

/** Creates the legacy API, which places calls for an assistant's phone number and has a health check. */
export function createLegacy(state: ServiceState, { behavior, now }: Setting): Handler {
  const time = () => new Date(now() + behavior.clockOff).toISOString();
  return ({ method, path, body }) => {
    if (path[0] === "health" && method === "GET")
      return { status: 200, body: { status: "healthy", version: "2.4", timestamp: time() } };
    if (path.join("/") !== "outbound/call" || method !== "POST") return undefined;
    let fields: unknown;
    try {
      fields = JSON.parse(body);
    } catch {}
    if (!isFields(fields)) throw new Refusal(400, "VALIDATION_ERROR", "the body is no object");
    const { assistantPhoneNumber, targetPhoneNumber, details } = fields;
    if (!/^\+\d{6,20}$/.test(String(targetPhoneNumber)))
      throw new Refusal(400, "INVALID_PHONE_FORMAT", "no number");
    if (!String(targetPhoneNumber).startsWith("+49"))
      throw new Refusal(400, "INVALID_TARGET_NUMBER", "only +49");
    const assistant = state
      .rows("assistants")
      .find((row) => fieldsOf(row)["phone_number"] === assistantPhoneNumber);
    if (assistant === undefined) throw new Refusal(400, "ASSISTANT_NOT_FOUND", "there is no such assistant");
    const call = state.insert(
      "calls",
      { assistant_id: assistant.id, to: targetPhoneNumber, details },
      "client",
    );
    return {
      status: 200,
      body: {
        status: "success",
        data: { callId: call.id, assistantPhoneNumber, targetPhoneNumber, timestamp: time() },
      },
    };
  };
}
