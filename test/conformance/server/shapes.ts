import type { Behavior } from "./behavior.js";
import type { Fields, ServiceResponse } from "./exchange.js";
import type { Page } from "./lists.js";
import { numberMark } from "./values.js";

/** The documents don't specify the body of a successful response without data. */
export function createEmptySuccess({ emptySuccess: form }: Behavior): ServiceResponse {
  if (form === "no body") return { status: 200 };
  return { status: 200, body: { data: form === "null" ? null : {} } };
}

/** Returns a successful response of a distributor API. Its envelope is undocumented. */
export function createSuccess(
  data: unknown,
  { envelope }: Behavior,
  status = 200,
  more: Fields = {},
): ServiceResponse {
  return { status, body: { ...(envelope === "data" ? {} : { status: "success" }), data, ...more } };
}

/** Returns a page of a distributor's list. Deployments indicate in many ways that more rows follow. */
export function createPageResponse(
  rows: unknown[],
  page: Page,
  path: string,
  behavior: Behavior,
): ServiceResponse {
  const hasMore = page.next !== undefined;
  const nextCursor = page.next ?? null;
  const camel = { hasMore, nextCursor };
  const snake = { has_more: hasMore, next_cursor: nextCursor };
  const address = hasMore ? `/api/distributor/v2${path}?cursor=${page.next}` : null;
  const respond = (more: Fields) => createSuccess(rows, behavior, 200, more);
  switch (behavior.paging) {
    case "meta.hasMore":
      return respond({ meta: camel });
    case "meta.has_more":
      return respond({ meta: snake });
    case "hasMore":
      return respond(camel);
    case "has_more":
      return respond(snake);
    case "pagination.hasMore":
      return respond({ pagination: camel });
    case "pagination.has_more":
      return respond({ pagination: snake });
    case "page.hasMore":
      return respond({ page: camel });
    case "page.has_more":
      return respond({ page: snake });
    case "Link":
      return { ...respond({}), headers: address === null ? {} : { link: `<${address}>; rel="next"` } };
    case "next URL":
      return respond({ links: { self: path, next: address } });
    case "next token":
      return respond({ nextPageToken: hasMore ? page.next : "" });
    case "pages":
      return respond({ paging: { page: page.page, pages: page.pages } });
    case "total":
      return respond({ total: page.total });
    case "isLast":
      return respond({ isLast: !hasMore });
  }
}

export function idOf(id: string, { idForm }: Behavior): unknown {
  return idForm === "hex" ? id : numberMark(id);
}
