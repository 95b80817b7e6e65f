import { controlPrefix } from "../../paths.js";

/** Contains the port, because emulators on one host share their cookies. */
function cookieName(host: string | undefined): string {
  const port = /:(\d+)$/.exec(host ?? "")?.[1];
  return port === undefined ? "emulator_ui" : `emulator_ui_${port}`;
}

/** The session lasts until the browser is closed. */
export function sessionCookie(host: string | undefined, session: string): string {
  return `${cookieName(host)}=${session}; Path=${controlPrefix}; HttpOnly; SameSite=Strict`;
}

export function sessionOf(headers: Readonly<Record<string, string | undefined>>): string | undefined {
  const start = `${cookieName(headers["host"])}=`;
  return headers["cookie"]
    ?.split(";")
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(start))
    ?.slice(start.length);
}
