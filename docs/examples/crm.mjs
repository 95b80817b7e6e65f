// Code under test in crm.test.ts and crm-node.mjs: a CRM that adds its customers to the voice service.

/**
 * Creates the customers that are not in the group. Returns the number of created contacts.
 * @param {{ baseUrl: string, key: string, fetch?: typeof fetch, wait?: (seconds: number) => Promise<void> }} service
 * @param {string} groupId
 * @param {readonly { firstName: string, phone: string }[]} customers
 */
export async function addCustomers(service, groupId, customers) {
  const known = await readPhones(service, groupId);
  let created = 0;
  for (const { firstName, phone } of customers) {
    if (known.has(phone)) continue;
    await sendRequest(service, "POST", "/contacts", {
      group_id: groupId,
      first_name: firstName,
      phone_numbers: [phone],
    });
    created += 1;
  }
  return created;
}

async function readPhones(service, groupId) {
  const phones = new Set();
  let cursor = "";
  do {
    const { data, meta } = await sendRequest(
      service,
      "GET",
      `/contacts?group_id=${groupId}&limit=200${cursor}`,
    );
    for (const contact of data) for (const phone of contact.phone_numbers) phones.add(phone);
    cursor = meta.has_more ? `&cursor=${encodeURIComponent(meta.next_cursor)}` : "";
  } while (cursor !== "");
  return phones;
}

async function sendRequest(service, method, path, body) {
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
    if (response.status !== 429 || !seconds)
      throw new Error(`${method} ${path} failed with ${response.status}`);
    await wait(seconds);
  }
}

function sleep(seconds) {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
