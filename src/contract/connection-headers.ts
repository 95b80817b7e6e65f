/**
 * Headers that are never forwarded. Each of them applies to a single connection (RFC 9110, 7.6.1), or the
 * HTTP client sets it for each request.
 */
export const connectionHeaders: readonly string[] = [
  "connection",
  "content-length",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];
