/**
 * Headers that are never forwarded, because they apply to a single connection (RFC 9110, 7.6.1) or because
 * the HTTP client sets them for each request.
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
