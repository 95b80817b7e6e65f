import type { Clock } from "../../base/clock.js";
import type { Io } from "../../base/io.js";
import type { Random } from "../../base/random.js";
import type { Transport } from "../../base/transport.js";
import type { ClientEvent } from "../../client/types.js";
import type { Step } from "../../write/journal/journal.js";
import type { Keychain } from "../profiles/keychain.js";
import type { ChosenProfile } from "../profiles/profile.js";
import type { Prompts } from "../terminal/questions.js";
import type { CommandGroup } from "./command.js";
import type { GlobalFlags } from "./globals.js";
import type { Connection, Session } from "./session.js";

export type Connect = (
  profile: ChosenProfile,
  options: {
    io: Io;
    flags: GlobalFlags;
    clock: Clock;
    random: Random;
    onEvent: (event: ClientEvent) => void;
    signal: AbortSignal;
    /** Returns additional keys that must not appear in requests. */
    keys: () => readonly string[];
    transport?: Transport | undefined;
  },
) => Promise<Connection>;

export interface Overrides {
  connect?: Connect;
  catalog?: CommandGroup;
  transport?: Transport;
  prompts?: Prompts;
  keychain?: Keychain;
  clock?: Clock;
  random?: Random;
  ownProgram?: Session["ownProgram"];
  /** Called at every step in a bulk run's journal, so that a test can end the process at this step. */
  onJournalStep?: (step: Step) => void;
}
