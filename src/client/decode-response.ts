import { Readable, type Transform } from "node:stream";
import { ConnectionError, type TransportResponse } from "../base/transport.js";
import { readText } from "./response-bounds.js";

/** Thrown for a response in an encoding that this version of Node can't decode. */
export class UnknownEncoding extends Error {
  override readonly name = "UnknownEncoding";
  constructor(readonly encoding: string) {
    super(`the response is encoded as "${encoding}", which this version of Node can't decode`);
  }
}

const maximumEncodings = 5;

/**
 * The client requests an unencoded body, but servers may ignore that (RFC 9110, 12.5.3).
 * @throws UnknownEncoding
 */
export async function decodeResponse(response: TransportResponse): Promise<TransportResponse> {
  const encodings = encodingsOf(response.headers);
  if (encodings.length === 0) return response;
  // Limit the number of decoders, because each one needs memory.
  if (encodings.length > maximumEncodings) throw new UnknownEncoding(encodings.join(", "));
  const zlib = await import("node:zlib");
  const decoders = encodings.reverse().map((encoding) => {
    const decode = decoderOf(encoding, zlib);
    if (!decode) throw new UnknownEncoding(encoding);
    return decode;
  });
  // Like fetch, keep `content-encoding`. Drop `content-length`, because it doesn't match the decoded body.
  const { "content-length": _, ...headers } = response.headers;
  const body = () =>
    decoders.reduce<AsyncIterable<Uint8Array>>((source, decode) => decode(source), response.body);
  return {
    status: response.status,
    headers,
    get body() {
      return body();
    },
    text: () => readText(body()),
  };
}

function encodingsOf(headers: Readonly<Record<string, string>>): string[] {
  return (headers["content-encoding"] ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
}

type Decode = (source: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;

function decoderOf(encoding: string, zlib: typeof import("node:zlib")): Decode | undefined {
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return (source) => decode(source, encoding, () => zlib.createGunzip());
    case "br":
      return (source) => decode(source, encoding, () => zlib.createBrotliDecompress());
    case "deflate":
      return (source) =>
        // Some servers send deflate data without its zlib wrapper (RFC 9110, 8.4.1.2).
        decode(source, encoding, (first) =>
          ((first[0] ?? 0) & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw(),
        );
    case "zstd": {
      if (!("createZstdDecompress" in zlib) || typeof zlib.createZstdDecompress !== "function")
        return undefined;
      const create = zlib.createZstdDecompress;
      return (source) => decode(source, encoding, () => create());
    }
    default:
      return undefined;
  }
}

async function* decode(
  source: AsyncIterable<Uint8Array>,
  encoding: string,
  create: (first: Uint8Array) => Transform,
): AsyncGenerator<Uint8Array, void> {
  const pieces = source[Symbol.asyncIterator]();
  let first = await pieces.next();
  while (!first.done && first.value.length === 0) first = await pieces.next();
  // An empty body is valid in any encoding.
  if (first.done) return;
  const decoder = create(first.value);
  const input = Readable.from(joined(first.value, pieces), { objectMode: true });
  input.on("error", (error) => decoder.destroy(error));
  try {
    yield* input.pipe(decoder);
  } catch (error) {
    if (error instanceof ConnectionError) throw error;
    throw new ConnectionError(`the response body is not valid ${encoding} data`, true, undefined, {
      cause: error,
    });
  } finally {
    input.destroy();
    decoder.destroy();
  }
}

async function* joined(
  first: Uint8Array,
  pieces: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield first;
    for (;;) {
      const piece = await pieces.next();
      if (piece.done) return;
      yield piece.value;
    }
  } finally {
    await pieces.return?.();
  }
}
