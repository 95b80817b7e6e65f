/**
 * Returns an origin as browsers send it, such as `http://localhost:5173`; undefined if the text is not an
 * origin.
 */
export function parseOrigin(text: string): string | undefined {
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || text.includes("*")) return undefined;
  return `${url.origin}/` === url.href ? url.origin : undefined;
}
