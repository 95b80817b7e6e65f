import type { Behaviour } from "./behaviour.js";
import type { Answer, Fields } from "./exchange.js";
import type { Page } from "./lists.js";
import { numberMark } from "./values.js";

/** A success that has nothing to say: the documents do not show its body. */
export function emptySuccess({ emptySuccess: form }: Behaviour): Answer {
  if (form === "no body") return { status: 200 };
  return { status: 200, body: { data: form === "null" ? null : {} } };
}

/** A distributor interface's success; its envelope is shown nowhere. */
export function success(data: unknown, { envelope }: Behaviour, status = 200, more: Fields = {}): Answer {
  return { status, body: { ...(envelope === "data" ? {} : { status: "success" }), data, ...more } };
}

/** A page of a distributor's list, which says in one of many ways that there is more. */
export function pageAnswer(rows: unknown[], page: Page, path: string, behaviour: Behaviour): Answer {
  const hasMore = page.next !== undefined;
  const nextCursor = page.next ?? null;
  const camel = { hasMore, nextCursor };
  const snake = { has_more: hasMore, next_cursor: nextCursor };
  const address = hasMore ? `/api/distributor/v2${path}?cursor=${page.next}` : null;
  const answer = (more: Fields) => success(rows, behaviour, 200, more);
  switch (behaviour.paging) {
    case "meta.hasMore":
      return answer({ meta: camel });
    case "meta.has_more":
      return answer({ meta: snake });
    case "hasMore":
      return answer(camel);
    case "has_more":
      return answer(snake);
    case "pagination.hasMore":
      return answer({ pagination: camel });
    case "pagination.has_more":
      return answer({ pagination: snake });
    case "page.hasMore":
      return answer({ page: camel });
    case "page.has_more":
      return answer({ page: snake });
    case "Link":
      return { ...answer({}), headers: address === null ? {} : { link: `<${address}>; rel="next"` } };
    case "next address":
      return answer({ links: { self: path, next: address } });
    case "next token":
      return answer({ nextPageToken: hasMore ? page.next : "" });
    case "pages":
      return answer({ paging: { page: page.page, pages: page.pages } });
    case "total":
      return answer({ total: page.total });
    case "isLast":
      return answer({ isLast: !hasMore });
  }
}

/** An organization's id as this deployment writes it. */
export function idOf(id: string, { idForm }: Behaviour): unknown {
  return idForm === "hex" ? id : numberMark(id);
}
