// What is under test in the examples beside this file: a CRM that hands its customers over to the voice service.

/**
 * Creates the customers that the group does not have yet; answers how many those were.
 * @param {{ baseUrl: string, key: string, fetch?: typeof fetch, wait?: (seconds: number) => Promise<void> }} service
 * @param {string} groupId
 * @param {readonly { firstName: string, phone: string }[]} customers
 */
export async function handOver(service, groupId, customers) {
  const known = await phonesOf(service, groupId);
  let created = 0;
  for (const { firstName, phone } of customers) {
    if (known.has(phone)) continue;
    await ask(service, "POST", "/contacts", {
      group_id: groupId,
      first_name: firstName,
      phone_numbers: [phone],
    });
    created += 1;
  }
  return created;
}

async function phonesOf(service, groupId) {
  const phones = new Set();
  let cursor = "";
  do {
    const { data, meta } = await ask(service, "GET", `/contacts?group_id=${groupId}&limit=200${cursor}`);
    for (const contact of data) for (const phone of contact.phone_numbers) phones.add(phone);
    cursor = meta.has_more ? `&cursor=${encodeURIComponent(meta.next_cursor)}` : "";
  } while (cursor !== "");
  return phones;
}

async function ask(service, method, path, body) {
  const { baseUrl, key, fetch: send = fetch, wait = sleep } = service;
  for (;;) {
    const response = await send(
      new Request(baseUrl + path, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
    if (response.ok) return response.json();
    const seconds = Number(response.headers.get("retry-after"));
    if (response.status !== 429 || !seconds) throw new Error(`${method} ${path} answered ${response.status}`);
    await wait(seconds);
  }
}

function sleep(seconds) {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
