import type { WebhookResponse } from "./exchange.js";
import { findHeader } from "./exchange.js";

/** The caller hears silence while the service waits for the response. */
const slowMilliseconds = 2_000;
/** Half of the service's limit of 64 KiB. */
const largeBytes = 32 << 10;

export function findResponseWarnings(response: WebhookResponse, milliseconds: number): string[] {
  const { status, headers, body } = response;
  const warnings: string[] = [];
  if (milliseconds > slowMilliseconds)
    warnings.push(
      `took ${(milliseconds / 1_000).toFixed(1)} s: the caller hears silence, and the service gives up after 5 s`,
    );
  if (body.length > largeBytes)
    warnings.push(`${Math.round(body.length / 1024)} KiB is large for a prompt (limit: 64 KiB)`);
  if (status >= 300 && status < 400) warnings.push(`status ${status}: redirects are not followed`);
  else if (status < 200 || status >= 300) warnings.push(`status ${status}: no data is added to the prompt`);
  if (!isText(findHeader(headers, "content-type"), body))
    warnings.push("the body is not text: the prompt would contain binary data");
  if (/@preCallData(?![A-Za-z0-9_])/.test(body.toString("utf8")))
    warnings.push("the response contains the placeholder @preCallData");
  return warnings;
}

function isText(type: string | undefined, body: Buffer): boolean {
  if (type !== undefined && /^(?:image|audio|video|font)\/|octet-stream|zip|pdf/i.test(type)) return false;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(body);
    return !text.includes("\u0000");
  } catch {
    return false;
  }
}
