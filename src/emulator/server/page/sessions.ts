import type { Random } from "../../../base/random.js";
import { hashSecret } from "../../kernel/keys.js";

/** Number of sessions; older ones are dropped. */
const kept = 32;

/** The newest secrets, by their digests. */
class Issued {
  private readonly digests = new Set<string>();

  constructor(private readonly random: Random) {}

  issue(): string {
    const secret = this.random.bytes(32).toString("base64url");
    this.digests.add(nameOf(secret));
    for (const digest of this.digests) {
      if (this.digests.size <= kept) break;
      this.digests.delete(digest);
    }
    return secret;
  }

  has(secret: string): boolean {
    return this.digests.has(nameOf(secret));
  }

  /** Removes a ticket. Returns whether it existed. */
  spend(secret: string): boolean {
    return this.digests.delete(nameOf(secret));
  }
}

function nameOf(secret: string): string {
  return hashSecret(secret).toString("base64");
}

/**
 * The visitors of the page: one-time tickets, and the sessions that were opened with one. Both end with the
 * process.
 */
export class Sessions {
  private readonly tickets: Issued;
  private readonly browsers: Issued;

  constructor(random: Random) {
    this.tickets = new Issued(random);
    this.browsers = new Issued(random);
  }

  issueTicket(): string {
    return this.tickets.issue();
  }

  /** Exchanges a ticket for a session; a ticket works once. */
  open(ticket: string): string | undefined {
    return this.tickets.spend(ticket) ? this.browsers.issue() : undefined;
  }

  isTicket(ticket: string): boolean {
    return this.tickets.has(ticket);
  }

  isOpen(session: string): boolean {
    return this.browsers.has(session);
  }
}
