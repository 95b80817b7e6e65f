import type { Clock } from "../../base/clock.js";
import type { Io } from "../../base/io.js";
import type { Random } from "../../base/random.js";
import type { Client, ClientOptions } from "../../client/types.js";
import type { ApiName } from "../../contract/apis.js";
import type { Emulator } from "../../emulator/types.js";
import type { Step } from "../../write/journal/journal.js";
import type { Output } from "../output/output.js";
import type { Folders } from "../profiles/folders.js";
import type { Keychain } from "../profiles/keychain.js";
import type { ChosenProfile } from "../profiles/profile.js";
import type { Notes } from "../terminal/notes.js";
import type { Prompts } from "../terminal/questions.js";
import type { CommandTree } from "./command-tree.js";
import type { GlobalFlags } from "./globals.js";
import type { Secrets } from "./secrets.js";

/** An open connection to a profile's service. */
export interface Connection {
  readonly profile: ChosenProfile;
  readonly client: Client;
  /** The clock of the client's waits: the emulator's offline, else the system's. */
  readonly clock: Clock;
  /** The client's options: bulk runs create their own client with other limits and listeners. */
  readonly clientOptions: ClientOptions;
  /** The base URL, for messages and to identify the service of a run. */
  baseUrl(api: ApiName): string | undefined;
  /** The embedded emulator, if the profile is offline and no server has its database open. */
  readonly emulator: Emulator | undefined;
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** Whether the command changes data: refused (12) if the profile was not chosen and the session is not interactive. */
  mutates?: boolean;
  /** Don't note waits on stderr: the command shows them itself. */
  quiet?: boolean;
  /** The command restores the webhooks of killed commands, so no warning asks for it. */
  restoresWebhooks?: boolean;
}

/** All services for a command: one per run of `main`. */
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
  /** The system's clock; the emulator's is `connection.clock`. */
  readonly clock: Clock;
  /** Current time at the source of the results, as far as is known, in milliseconds. */
  serviceNow(): number;
  /** Returns whether a response of this run came from an emulator. */
  isEmulator(): boolean;
  readonly random: Random;
  /** For tests that end the process during a bulk run. */
  readonly onJournalStep: ((step: Step) => void) | undefined;
  /**
   * Aborted on SIGINT and SIGTERM; its reason is an interrupted error. Until a command reads it or connects, a signal ends
   * the command at once.
   */
  readonly signal: AbortSignal;
  /** Waits for a program that receives the first signal: the second doesn't end voxctl, only the third does. */
  awaitProgram<T>(work: () => Promise<T>): Promise<T>;
  /**
   * The profile of this run. The first call decides; only that call may specify another profile than the chosen one.
   */
  profile(name?: string): Promise<ChosenProfile>;
  /** Opens the profile's service, once per run; `main` closes it. */
  connect(options?: ConnectOptions): Promise<Connection>;
  /** Opens the service of any profile, stored or not. The caller closes it. */
  reach(profile: ChosenProfile): Promise<Connection>;
  /**
   * Checks whether an interactive session or a flag can confirm a destructive command, before it reads any data.
   * @param about `loses: false` if it can be undone
   * @throws refused error (12) that names the flag
   */
  assertConfirmable(about?: { loses: boolean }): Promise<void>;
  /** Returns whether a flag answers the prompt of `confirm`. */
  isConfirmed(): Promise<boolean>;
  /**
   * Asks for confirmation of an irreversible change. `--yes` confirms; a production profile requires `--confirm=<name>`.
   * @param about `loses: false` if no data is lost, but the change is large
   * @throws refused error (12) if the session is not interactive or the reply is no
   */
  confirm(question: string, about?: { loses: boolean }): Promise<void>;
  /** Loads every command: the whole program as data. */
  commands(): Promise<CommandTree>;
  /** Names of known ids, so that tables can show them without a request. */
  readonly names: Map<string, string>;
}
