/** Headers that concern one connection only and are never passed on (RFC 9110, 7.6.1), or are made anew by each request. */
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
