import type { Clock } from "../../base/clock.js";
import type { Io } from "../../base/io.js";
import type { Random } from "../../base/random.js";
import type { Step } from "../../bulk/journal/journal.js";
import type { Client, ClientOptions } from "../../client/types.js";
import type { ApiName } from "../../contract/apis.js";
import type { Emulator } from "../../emulator/types.js";
import type { Output } from "../output/output.js";
import type { Folders } from "../profiles/folders.js";
import type { Keychain } from "../profiles/keychain.js";
import type { ChosenProfile } from "../profiles/profile.js";
import type { Notes } from "../terminal/notes.js";
import type { Prompts } from "../terminal/questions.js";
import type { CommandTree } from "./command-tree.js";
import type { GlobalFlags } from "./globals.js";
import type { Secrets } from "./secrets.js";

/** A profile's service, reached. */
export interface Connection {
  readonly profile: ChosenProfile;
  readonly client: Client;
  /** The clock that the client waits on: the world's offline, else the system's. */
  readonly clock: Clock;
  /** The client's options: bulk runs make their own with other bounds and listeners. */
  readonly clientOptions: ClientOptions;
  /** The base address, for messages and for telling runs apart. */
  baseUrl(api: ApiName): string | undefined;
  /** The embedded world, where the profile is an offline one and no server holds its file. */
  readonly emulator: Emulator | undefined;
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** The command changes something: refused (12) when the profile was not chosen and no person is there. */
  mutates?: boolean;
  /** Say nothing about waiting on stderr: the command shows it itself. */
  quiet?: boolean;
}

/** Everything a command may use: one per run of `main`. */
export interface Session {
  readonly io: Io;
  readonly flags: GlobalFlags;
  readonly output: Output;
  readonly notes: Notes;
  readonly prompts: Prompts;
  readonly folders: Folders;
  readonly keychain: Keychain;
  /** Registers a secret as soon as it is read. */
  readonly secrets: Secrets;
  /** The system's clock; the world's is `connection.clock`. */
  readonly clock: Clock;
  /** The present time where the results come from, as far as is known. Milliseconds. */
  serviceNow(): number;
  /** Has an answer of this run said that it comes from an emulator? */
  isEmulator(): boolean;
  readonly random: Random;
  /** For tests that end the process in the middle of a bulk run. */
  readonly onJournalStep: ((step: Step) => void) | undefined;
  /** Aborted on SIGINT and SIGTERM, its reason an interrupted error. */
  readonly signal: AbortSignal;
  /**
   * The profile this run works with. Decided once, by the first call; only that may name another than the chosen one.
   */
  profile(name?: string): Promise<ChosenProfile>;
  /** Opens the profile's service, once per run; `main` closes it. */
  connect(options?: ConnectOptions): Promise<Connection>;
  /** Opens the service of a profile that need not be stored. The caller closes it. */
  reach(profile: ChosenProfile): Promise<Connection>;
  /**
   * Is a person or a flag there to confirm a destructive command? Asked before anything is read for it.
   * @param about `loses: false` where it can be taken back
   * @throws refused error (12) that names the flag
   */
  assertConfirmable(about?: { loses: boolean }): Promise<void>;
  /** Has a flag answered what `confirm` asks? */
  isConfirmed(): Promise<boolean>;
  /**
   * Asks before something that can't be taken back. `--yes` answers; a production profile wants `--confirm=<name>`.
   * @param about `loses: false` where nothing is lost by it, but much is done
   * @throws refused error (12) when there is no person to ask or the answer is no
   */
  confirm(question: string, about?: { loses: boolean }): Promise<void>;
  /** Every command, loaded: the whole program as data. */
  commands(): Promise<CommandTree>;
  /** Names of ids met so far, so that tables can show them without a request. */
  readonly names: Map<string, string>;
}
