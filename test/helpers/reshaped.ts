import type { TransportResponse } from "../../src/base/transport.js";
import { connectEmulator } from "../../src/cli/session/connection.js";
import type { Overrides } from "../../src/cli/session/overrides.js";
import type { Emulator } from "../../src/emulator/types.js";

/** An answer of JSON, before it reaches the client. */
export interface Shape {
  status: number;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  body: any;
}

interface Asked {
  method: string;
  /** Without the host: `/api/distributor/v2/organizations?limit=50`. */
  path: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape
  body: any;
}

/**
 * Leads every profile to this world, as a deployment that gives its answers another shape.
 * @param reshape the answer to a request as the deployment sends it; undefined where it is the world's
 */
export function reshaped(
  emulator: Emulator,
  reshape: (asked: Asked, answer: Shape) => Partial<Shape> | undefined,
  rewrite: (asked: Asked) => Partial<Asked> = () => ({}),
): Overrides {
  const transport: Emulator["transport"] = async (url, request): Promise<TransportResponse> => {
    const { origin, pathname, search } = new URL(url);
    const body = request.body === undefined ? undefined : JSON.parse(request.body);
    const asked: Asked = { method: request.method, path: pathname + search, body };
    const sent = { ...asked, ...rewrite(asked) };
    const response = await emulator.transport(origin + sent.path, {
      ...request,
      method: sent.method,
      ...(sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }),
    });
    if (!response.headers["content-type"]?.includes("json")) return response;
    const parsed = JSON.parse(await response.text());
    const shape: Shape = { status: response.status, headers: { ...response.headers }, body: parsed };
    const { status, headers, body: answered } = { ...shape, ...reshape(asked, shape) };
    const text = typeof answered === "string" ? answered : JSON.stringify(answered);
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
