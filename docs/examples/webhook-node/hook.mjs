import { timingSafeEqual } from "node:crypto";

const callers = { "+4915112345678": { name: "Anna Weiß", open_invoices: 2 } };

/** Returns the caller's data for the prompt, or an empty object for an unknown or withheld number. */
export function findCaller(number) {
  return typeof number === "string" && Object.hasOwn(callers, number) ? callers[number] : {};
}

/** Returns the response to a request, for any framework. */
export function respond({ authorization, body, secret }) {
  const [actual, expected] = [authorization ?? "", `Bearer ${secret}`].map((text) => Buffer.from(text));
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected))
    return { status: 401, json: { error: "unauthorized" } };
  let call;
  try {
    call = JSON.parse(body);
  } catch {
    return { status: 400, json: { error: "invalid JSON" } };
  }
  if (typeof call !== "object" || call === null)
    return { status: 400, json: { error: "expected a JSON object" } };
  return { status: 200, json: findCaller(call.from) };
}
