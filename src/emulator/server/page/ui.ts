import { asset } from "../../../base/assets.js";
import { pagePolicy } from "../../../base/page-policy.js";
import type { EmulatorState } from "../../emulator-state.js";
import { stripQuery, uiPath } from "../../paths.js";
import { statusOf } from "../../policy.js";
import { publicPolicy } from "../../public/policy.js";
import { type RequestRecord, type ResponseRecord, toReadRequest } from "../../records.js";
import { checkOrigin, notFound, Refusal } from "../../refusal.js";
import { sessionCookie, sessionOf } from "./cookie.js";
import { closedPage, page } from "./page.js";
import { Sessions } from "./sessions.js";

export interface Ui {
  respond(request: RequestRecord): ResponseRecord;
  /** Creates a ticket that opens the page once. */
  issueTicket(): string;
  /** Returns whether the request comes from a page that a ticket opened. */
  isFromPage(request: RequestRecord): boolean;
}

export function createUi(state: EmulatorState): Ui {
  const sessions = new Sessions(state.options.random);

  const hasSession = ({ headers }: RequestRecord) => {
    const session = sessionOf(headers);
    return session !== undefined && sessions.isOpen(session);
  };

  function respondWithPage(request: RequestRecord): ResponseRecord {
    const ticket = new URLSearchParams(request.target.split("?")[1] ?? "").get("ticket");
    // A link preview sends HEAD, and must not use up the ticket.
    if (request.method === "HEAD" && ticket !== null && sessions.isTicket(ticket))
      return served(200, "text/html; charset=utf-8", page);
    // Ignore a used ticket, because the browser that used it has a cookie.
    const opened = ticket === null ? undefined : sessions.open(ticket);
    if (opened === undefined && !hasSession(request)) {
      return served(401, "text/html; charset=utf-8", closedPage, "emulator.control");
    }
    const response = served(200, "text/html; charset=utf-8", page);
    if (opened !== undefined) response.headers["Set-Cookie"] = sessionCookie(request.headers["host"], opened);
    return response;
  }

  return {
    respond(request) {
      // Refuse requests from pages of other origins (emulator.control).
      const originRefusal = checkOrigin(request.headers);
      if (originRefusal) return refused(originRefusal);
      const path = stripQuery(request.target);
      if (toReadRequest(request).method !== "GET") return refused(unknown(request.method, path));
      if (path === uiPath) return respondWithPage(request);
      if (!hasSession(request)) {
        return refused(
          new Refusal("unauthorized", "emulator.control", "open the page with its one-time link"),
        );
      }
      if (path === `${uiPath}/ui.js`) return served(200, "text/javascript; charset=utf-8", asset("ui.js"));
      if (path === `${uiPath}/ui.css`) return served(200, "text/css; charset=utf-8", asset("ui.css"));
      return refused(unknown(request.method, path));
    },
    issueTicket: () => sessions.issueTicket(),
    isFromPage: (request) =>
      // Browsers also send the cookie with requests from pages on this host's other ports. Such a page can't
      // send the header below, because its preflight request is refused.
      request.headers["x-emulator-ui"] === "1" &&
      (request.headers["sec-fetch-site"] ?? "same-origin") === "same-origin" &&
      hasSession(request),
  };
}

function unknown(method: string, path: string): Refusal {
  return notFound(`${method} ${path}`, "emulator.control");
}

function refused(reason: Refusal): ResponseRecord {
  const body = JSON.stringify(publicPolicy.errorBody(reason));
  return served(statusOf(publicPolicy, reason), "application/json; charset=utf-8", body, reason.rule);
}

function served(status: number, mediaType: string, body: string | Uint8Array, rule?: string): ResponseRecord {
  return {
    status,
    headers: {
      "Content-Type": mediaType,
      "Cache-Control": "no-store",
      "Content-Security-Policy": pagePolicy,
      "Cross-Origin-Opener-Policy": "same-origin",
      "Cross-Origin-Resource-Policy": "same-origin",
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
      "X-Frame-Options": "DENY",
      ...(rule === undefined ? {} : { "X-Emulator-Rule": rule }),
    },
    body,
  };
}
