import type { CompletedAttempt } from "./attempt.js";
import { type Mask, maskHeader, maskHeaders } from "./masking.js";

interface Requested {
  readonly url: string;
  readonly request: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string | undefined;
  };
}

/**
 * A request as listeners receive it. Keys are masked when a field is read, because most fields are never
 * read. The unmasked values are private.
 */
export class RequestEvent {
  readonly type = "request";
  readonly method: string;
  readonly #requested: Requested;
  readonly #mask: Mask;
  constructor(
    requested: Requested,
    readonly attempt: number,
    mask: Mask,
  ) {
    this.method = requested.request.method;
    this.#requested = requested;
    this.#mask = mask;
  }
  get url(): string {
    return this.#mask(this.#requested.url);
  }
  get headers(): Readonly<Record<string, string>> {
    return maskHeaders(this.#requested.request.headers, this.#mask);
  }
  get body(): string | undefined {
    return masked(this.#requested.request.body, this.#mask);
  }
  toJSON(): object {
    const { type, method, url, headers, body, attempt } = this;
    return { type, method, url, headers, body, attempt };
  }
}

export class ResponseEvent {
  readonly type = "response";
  readonly status: number;
  readonly #answer: CompletedAttempt;
  readonly #mask: Mask;
  constructor(
    response: CompletedAttempt,
    readonly milliseconds: number,
    mask: Mask,
  ) {
    this.status = response.status;
    this.#answer = response;
    this.#mask = mask;
  }
  get headers(): Readonly<Record<string, string>> {
    return maskHeaders(this.#answer.headers, this.#mask);
  }
  header(name: string): string | undefined {
    return maskHeader(this.#answer.headers, name, this.#mask);
  }
  get body(): string | undefined {
    return masked(this.#answer.text, this.#mask);
  }
  toJSON(): object {
    const { type, status, headers, body, milliseconds } = this;
    return { type, status, headers, body, milliseconds };
  }
}

function masked(text: string | undefined, mask: Mask): string | undefined {
  return text === undefined ? undefined : mask(text);
}
