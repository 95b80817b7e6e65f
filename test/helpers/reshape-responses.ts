import type { TransportResponse } from "../../src/base/transport.js";
import { connectEmulator } from "../../src/cli/session/connection.js";
import type { Overrides } from "../../src/cli/session/overrides.js";
import type { Emulator } from "../../src/emulator/types.js";

/** A JSON response before it reaches the client. */
export interface Shape {
  status: number;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  body: any;
}

interface SentRequest {
  method: string;
  /** Without the host: `/api/distributor/v2/organizations?limit=50`. */
  path: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape
  body: any;
}

/**
 * Connects every profile to this emulator, as a deployment with differently formatted responses.
 * @param reshape returns the response as the deployment sends it; undefined keeps the emulator's response
 */
export function reshapeResponses(
  emulator: Emulator,
  reshape: (request: SentRequest, response: Shape) => Partial<Shape> | undefined,
  rewrite: (request: SentRequest) => Partial<SentRequest> = () => ({}),
): Overrides {
  const transport: Emulator["transport"] = async (url, request): Promise<TransportResponse> => {
    const { origin, pathname, search } = new URL(url);
    const body = request.body === undefined ? undefined : JSON.parse(request.body);
    const original: SentRequest = { method: request.method, path: pathname + search, body };
    const sent = { ...original, ...rewrite(original) };
    const response = await emulator.transport(origin + sent.path, {
      ...request,
      method: sent.method,
      ...(sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }),
    });
    if (!response.headers["content-type"]?.includes("json")) return response;
    const parsed = JSON.parse(await response.text());
    const shape: Shape = { status: response.status, headers: { ...response.headers }, body: parsed };
    const { status, headers, body: reshapedBody } = { ...shape, ...reshape(original, shape) };
    const text = typeof reshapedBody === "string" ? reshapedBody : JSON.stringify(reshapedBody);
    return {
      status,
      headers,
      text: async () => text,
      body: (async function* () {
        yield Buffer.from(text);
      })(),
    };
  };
  return {
    connect: async (profile, options) => ({
      ...connectEmulator({ ...emulator, startLine: emulator.startLine, transport }, profile, options),
      close: async () => {},
    }),
  };
}
