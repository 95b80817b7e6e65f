import { describe, expect, test } from "vitest";
import { readJsonArray } from "../../src/features/import/sources/json.js";

const people = [{ first_name: "Anna" }, { first_name: "Bert" }];

async function findProblems(page: unknown): Promise<(string | undefined)[]> {
  const text = JSON.stringify(page);
  async function* pieces() {
    for (let at = 0; at < text.length; at += 7) yield text.slice(at, at + 7);
  }
  const problems: (string | undefined)[] = [];
  for await (const { problem } of readJsonArray(pieces(), "list.json")) problems.push(problem);
  return problems;
}

const pages: readonly (readonly [string, object])[] = [
  ["a next link", { count: 2, next: "https://example.org/?page=2", results: people }],
  ["a next link of OData", { value: people, "@odata.nextLink": "https://example.org/?$skip=2" }],
  ["a next link within a wrapper", { d: { results: people, __next: "https://example.org/?$skip=2" } }],
  ["a next token", { items: people, nextPageToken: "CAE" }],
  ["a next page's number", { data: people, meta: { next_page: 2 } }],
  ["a next link of hypertext", { _embedded: { contacts: people }, _links: { next: { href: "/?page=2" } } }],
  ["a next link among links", { data: people, links: { self: "/", next: "/?page=2" } }],
  ["a next link in a list of links", { data: people, links: [{ rel: "next", href: "/?page=2" }] }],
  ["a next position in an object", { results: people, paging: { next: { after: "2", link: "" } } }],
  ["a continuation", { items: people, metadata: { continue: "abc" } }],
  ["a cursor", { data: people, response_metadata: { next_cursor: "abc" } }],
  ["an offset that is a text", { records: people, offset: "itr1/rec2" }],
  ["a flag of more", { data: people, info: { more_records: true } }],
  ["a flag of more two levels down", { data: people, additional_data: { pagination: { more_items: true } } }],
  ["a flag of a next page", { data: { contacts: { nodes: people, pageInfo: { hasNextPage: true } } } }],
  ["a flag of truncation", { contents: 0, items: people, IsTruncated: true }],
  ["a flag that is a text", { data: people, has_more: "true" }],
  ["done: false", { totalSize: 2, done: false, records: people }],
  ["last: false", { content: people, last: false, size: 2 }],
  ["the first of two pages", { data: people, meta: { current_page: 1, last_page: 2 } }],
  ["the last of two pages", { content: people, last: true, number: 1, totalPages: 2 }],
  ["a page's number alone", { data: people, page: 2 }],
  ["a page before it", { results: people, next: null, previous: "https://example.org/" }],
  ["an offset", { data: people, pagination: { offset: 2, limit: 2 } }],
  ["a total", { data: people, total: 3 }],
  ["a total that is a text", { d: { results: people, __count: "3" } }],
  ["a total with a relation", { hits: { total: { value: 3, relation: "eq" }, hits: people } }],
  ["a length", { length: 3, records: people }],
  [
    "a total beyond a long list of others",
    { data: people, included: Array(2_000).fill({ next: "x" }), meta: { total: 3 } },
  ],
];

const wholes: readonly (readonly [string, object])[] = [
  ["empty fields", { count: 2, next: null, previous: null, results: people }],
  ["empty texts", { data: people, meta: { has_more: false, next_cursor: "" } }],
  [
    "a cursor at the last row",
    { data: { contacts: { nodes: people, pageInfo: { hasNextPage: false, endCursor: "b" } } } },
  ],
  [
    "the only page",
    { content: people, first: true, last: true, number: 0, totalPages: 1, totalElements: 2, size: 20 },
  ],
  [
    "numbers of the only page",
    { data: people, meta: { current_page: 1, last_page: 1, from: 1, to: 2, per_page: 15, total: 2 } },
  ],
  [
    "a token for later changes",
    { connections: 0, items: people, nextSyncToken: "abc", "@odata.deltaLink": "https://example.org/" },
  ],
  ["done: true", { totalSize: 2, done: true, records: people }],
  [
    "numbers of something else",
    { data: people, account: { count: 500, first: false }, took: 30, facets: { total: 40 } },
  ],
  ["a limit above the rows", { data: people, meta: { limit: 100, offset: 0, count: 2 } }],
  [
    "a next page in a row",
    { data: [{ first_name: "Anna", next: "/2", has_more: true }, { first_name: "Bert" }] },
  ],
  ["a next page in another list", { included: [{ next: "/2", total: 40 }], data: people }],
  [
    "the first of a list counted from 1",
    { resources: people, totalResults: 2, startIndex: 1, itemsPerPage: 2 },
  ],
];

describe("a JSON API response in a file", () => {
  test.each(pages)(
    "a file with an API response counts as one of several pages if it has %s",
    async (_, page) => {
      const problems = await findProblems(page);
      expect(problems).toHaveLength(3);
      expect(problems[2]).toContain("the file contains only one of several pages");
    },
  );

  test.each(wholes)("a file with an API response is complete if it has %s", async (_, page) => {
    expect(await findProblems(page)).toEqual([undefined, undefined]);
  });

  test.each([
    ["ends inside its JSON object", '{"data": [{"first_name": "Anna"}], "meta": {"next": '],
    ["is not a single JSON object", '{"data": [{"first_name": "Anna"}]}\n{"data": [{"first_name": "Bert"}]}'],
  ])("a file with an API response is refused if it %s", async (message, text) => {
    async function* pieces() {
      yield text;
    }
    const reading = async () => {
      for await (const _ of readJsonArray(pieces(), "list.json"));
    };
    await expect(reading()).rejects.toThrow(message);
  });
});
