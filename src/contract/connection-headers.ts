/** Headers that apply to a single connection (RFC 9110, 7.6.1) or are set for each request, so they are never forwarded. */
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
