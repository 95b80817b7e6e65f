/** Prompts on stderr. Each throws an interrupted error (130) on Ctrl-C. */
export interface Prompts {
  /** Whether stdin and stderr are terminals and CI is unset: prompts are only possible then. */
  readonly available: boolean;
  text(question: {
    message: string;
    required?: boolean;
    validate?: (value: string) => true | string | Promise<true | string>;
    /** The reply confirms something: what was typed before the question is shown is dropped. */
    confirms?: boolean;
  }): Promise<string>;
  secret(question: { message: string }): Promise<string>;
  /** What was typed before the question is shown is dropped. */
  confirm(question: { message: string; default?: boolean }): Promise<boolean>;
  choose<T>(question: {
    message: string;
    choices: readonly { name: string; value: T; description?: string }[];
    /** Typed letters filter the choices. */
    search?: boolean;
    /** The first of the choices is what is likely meant, and what Enter alone takes where nothing can be marked. */
    isFirstDefault?: boolean;
  }): Promise<T>;
}
