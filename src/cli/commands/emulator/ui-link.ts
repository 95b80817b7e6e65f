import * as z from "zod";
import type { Transport } from "../../../base/transport.js";
import type { StartLine } from "../../../emulator/types.js";
import { callControl } from "../../session/local-server.js";

const Ticket = z.object({ path: z.string() });
const Answer = z.object({ data: z.unknown() });

/**
 * A link that opens the page of an emulator once.
 * @param ticket what the control interface answered for it
 */
export function uiLinkOf(url: string, ticket: unknown): string {
  return url + Ticket.parse(ticket).path;
}

/** The same, asked of a running emulator. */
export async function requestUiLink(transport: Transport, line: StartLine): Promise<string> {
  const { body } = await callControl(transport, line, "POST", "/ui-tickets");
  return uiLinkOf(line.url, Answer.parse(body).data);
}
