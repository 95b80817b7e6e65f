import { timingSafeEqual } from "node:crypto";

const callers = { "+4915112345678": { name: "Anna Weiß", open_invoices: 2 } };

/** What the assistant's prompt is told of a caller: nothing of a stranger, or of a number that is withheld. */
export function knownOf(number) {
  return typeof number === "string" && Object.hasOwn(callers, number) ? callers[number] : {};
}

/** Answers one request, whatever framework it came through. */
export function answer({ authorization, body, secret }) {
  const [given, expected] = [authorization ?? "", `Bearer ${secret}`].map((text) => Buffer.from(text));
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    return { status: 401, json: { error: "not allowed" } };
  let call;
  try {
    call = JSON.parse(body);
  } catch {
    return { status: 400, json: { error: "the body is no JSON" } };
  }
  if (typeof call !== "object" || call === null)
    return { status: 400, json: { error: "the body is no object" } };
  return { status: 200, json: knownOf(call.from) };
}
