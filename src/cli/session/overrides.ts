import type { Clock } from "../../base/clock.js";
import type { Io } from "../../base/io.js";
import type { Random } from "../../base/random.js";
import type { Transport } from "../../base/transport.js";
import type { Step } from "../../bulk/journal/journal.js";
import type { ClientEvent } from "../../client/types.js";
import type { Keychain } from "../profiles/keychain.js";
import type { ChosenProfile } from "../profiles/profile.js";
import type { Prompts } from "../terminal/questions.js";
import type { GlobalFlags } from "./globals.js";
import type { Connection } from "./session.js";

/** Reaches the service of a profile. */
export type Connect = (
  profile: ChosenProfile,
  options: {
    io: Io;
    flags: GlobalFlags;
    clock: Clock;
    random: Random;
    onEvent: (event: ClientEvent) => void;
    /** Ends the opening. */
    signal: AbortSignal;
    /** Keys that no request may carry, beside those of the profile. */
    keys: () => readonly string[];
    /** In place of the network. */
    transport?: Transport | undefined;
  },
) => Promise<Connection>;

/** Replacements that tests put in place of the real thing. */
export interface Overrides {
  connect?: Connect;
  /** Carries the requests to a deployment in place of the network. */
  transport?: Transport;
  prompts?: Prompts;
  keychain?: Keychain;
  clock?: Clock;
  random?: Random;
  /** Told of every step of a bulk run's journal: to end the process there. */
  onJournalStep?: (step: Step) => void;
}
