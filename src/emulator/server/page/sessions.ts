import type { Random } from "../../../base/random.js";
import { hashSecret } from "../../kernel/keys.js";

/** Maximum number of tickets and of sessions. If there are more, the oldest is dropped. */
const kept = 32;

/** Stores only digests of tickets or sessions. */
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

  /** Returns whether the ticket existed. */
  spend(secret: string): boolean {
    return this.digests.delete(nameOf(secret));
  }
}

function nameOf(secret: string): string {
  return hashSecret(secret).toString("base64");
}

/** A one-time ticket opens a session. Tickets and sessions end with the process. */
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
