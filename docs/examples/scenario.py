"""Sends fifty requests to a running emulator, with Python's standard library only.

    voxctl emulator start --db :memory: --port 4010 --detach -o json > emulator.json
    python3 scenario.py emulator.json
    voxctl emulator stop --port 4010
"""

import json
import sys
import urllib.error
import urllib.request

with open(sys.argv[1]) as file:
    start = json.loads(file.readline())

requests = 0


def send(method, url, key, body=None, headers=None):
    """Sends a request. Returns status, headers and the parsed body."""
    global requests
    requests += 1
    request = urllib.request.Request(
        url,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": "Bearer " + key, "Content-Type": "application/json", **(headers or {})},
    )
    try:
        with urllib.request.urlopen(request) as response:
            return response.status, response.headers, read(response)
    except urllib.error.HTTPError as error:
        return error.code, error.headers, read(error)


def read(response):
    content = response.read()
    if response.headers.get_content_type() == "application/json":
        return json.loads(content)
    return content


def api(method, path, body=None, key="admin", headers=None):
    return send(method, start["base_url"] + path, start["keys"][key], body, headers)


def control(method, path, body=None):
    status, _, result = send(method, start["control_url"] + path, start["control_token"], body)
    assert status < 300, result
    return result["data"]


def expect(response, status, rule=None):
    assert response[0] == status, response
    assert rule is None or response[1]["X-Emulator-Rule"] == rule, response[1]["X-Emulator-Rule"]
    return response[2]


# Contacts: create, read in pages, change, delete.
group = expect(api("POST", "/groups", {"type": "contacts", "name": "CRM"}), 201)["data"]
for number in range(12):
    body = {
        "group_id": group["id"],
        "first_name": "Kundin %d" % number,
        "phone_numbers": ["+49301000%02d" % number],
    }
    expect(api("POST", "/contacts", body), 201)
seen, cursor = [], ""
while True:
    page = expect(api("GET", "/contacts?limit=5&group_id=%s%s" % (group["id"], cursor)), 200)
    seen += page["data"]
    if not page["meta"]["has_more"]:
        break
    cursor = "&cursor=" + page["meta"]["next_cursor"]
assert [contact["first_name"] for contact in seen] == ["Kundin %d" % number for number in range(12)]
first = "/contacts/" + seen[0]["id"]
assert expect(api("PATCH", first, {"last_name": "Müller"}), 200)["data"]["last_name"] == "Müller"
assert expect(api("DELETE", first), 200) == {"data": {}}
expect(api("GET", first), 404, "public.errors.4")

# Refused requests: each response names its API rule.
expect(api("POST", "/contacts", {}, key="viewer"), 403, "public.auth.5")
expect(send("GET", start["base_url"] + "/ping", "wrong"), 401, "public.auth.4")
error = expect(api("POST", "/contacts", {"colour": "blue"}), 400)["error"]
assert error["code"] == "validation_failed" and error["details"]
expect(api("GET", "/contacts?limit=0"), 400, "D-limit")

# A call, its recording, and the cooldown of the assistant.
assistant = expect(api("GET", "/assistants"), 200)["data"][0]
call = expect(api("POST", "/calls", {"assistant_id": assistant["id"], "to": "+4915112345678"}), 201)["data"]
assert call["status"] == "queued"
again = api("POST", "/calls", {"assistant_id": assistant["id"], "to": "+4915112345678"})
expect(again, 429, "public.limits.1")
assert "Retry-After" not in again[1]
control("PATCH", "/clock", {"advance_seconds": 120})
done = expect(api("GET", "/calls/" + call["call_id"]), 200)["data"]
assert done["status"] == "completed" and done["recording"]["available"], done
audio = api("GET", "/calls/%s/recording" % call["call_id"], headers={"Range": "bytes=0-3"})
assert expect(audio, 206) == b"fLaC"

# Knowledge is indexed on the emulator's clock.
knowledge = expect(api("GET", "/groups?type=knowledges"), 200)["data"][0]
body = {"group_id": knowledge["id"], "name": "Parken", "text": "Im Hof."}
item = expect(api("POST", "/knowledge-items", body), 201)["data"]
assert item["sync_status"]["state"] == "pending"
control("PATCH", "/clock", {"advance_seconds": 10})
item = expect(api("GET", "/knowledge-items/" + item["id"]), 200)["data"]
assert item["sync_status"]["state"] == "synced" and item["text"] == "Im Hof."

# A fault, and a snapshot that restores the state.
control("POST", "/snapshots", {"name": "before"})
control("POST", "/faults", {"kind": "error_after", "operation": "groups.delete", "times": 1})
expect(api("DELETE", "/groups/" + group["id"]), 500, "public.errors.6")
expect(api("GET", "/groups/" + group["id"]), 404)
control("POST", "/snapshots/before/restore")
expect(api("GET", "/groups/" + group["id"]), 200)

# The distributor APIs and the legacy API.
tree = send("GET", start["distributor_v2_url"] + "/organizations/tree", start["keys"]["distributor_v2"])
assert expect(tree, 200)["status"] == "success"
health = send("GET", start["distributor_v1_url"] + "/health", "none needed")
assert expect(health, 200)["status"] == "ok"
body = {"assistantPhoneNumber": assistant["phone_number"], "targetPhoneNumber": "+4915112345678"}
legacy = send("POST", start["legacy_url"] + "/api/v1/outbound/call", start["keys"]["legacy"], body)
assert expect(legacy, 200)["data"]["callId"]
body["targetPhoneNumber"] = "+43123456789"
legacy = send("POST", start["legacy_url"] + "/api/v1/outbound/call", start["keys"]["legacy"], body)
assert expect(legacy, 400, "legacy.german")["code"] == "INVALID_TARGET_NUMBER"

# The API rules that these requests covered.
met = [rule for rule in control("GET", "/coverage") if rule["state"] == "met"]
assert len(met) > 40, len(met)
while requests < 50:
    expect(api("GET", "/ping"), 200)
print("%d requests, %d API rules covered" % (requests, len(met)))
