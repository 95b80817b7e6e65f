import { isFields } from "../../../../base/fields.js";
import type { Session } from "../../../session/session.js";
import { formatCall, getCallStyle } from "./text.js";

export async function showCall(session: Session, call: unknown): Promise<void> {
  const asText = session.output.format === "table" && session.flags.fields === undefined;
  if (asText && isFields(call)) await session.output.text(formatCall(call, getCallStyle(session)));
  else await session.output.item(call);
}
