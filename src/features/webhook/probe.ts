import { messageOf } from "../../base/error-code.js";
import { readText } from "../../client/response-bounds.js";

/** A request that shows whether a URL leads to this receiver. The receiver responds with a random text. */
export interface Probe {
  readonly path: string;
  readonly expectedText: string;
}

export async function findAddressProblem(
  address: string,
  { path, expectedText }: Probe,
  until: AbortSignal,
): Promise<string | undefined> {
  try {
    const response = await fetch(address.replace(/\/$/, "") + path, {
      redirect: "manual",
      signal: AbortSignal.any([until, AbortSignal.timeout(5_000)]),
    });
    const text = response.body ? await readText(response.body) : "";
    return text === expectedText ? undefined : `a different server responded with status ${response.status}`;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    return cause instanceof Error ? cause.message : messageOf(error);
  }
}
