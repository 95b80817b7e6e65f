"""Run by: voxctl emulator exec --seed empty -- pytest"""

import os
import threading

import pytest

os.environ["HOOK_SECRET"] = "a secret of the tests"

import hook  # noqa: E402


@pytest.fixture
def hook_url():
    server = hook.serve(0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/hook"
    server.shutdown()


def test_lists_the_contacts_of_a_group(voice):
    _, groups = voice.request("GET", "/groups?type=contacts")
    group = groups["data"][0]["id"]
    status, created = voice.request("POST", "/contacts", {"group_id": group, "first_name": "Anna"})
    assert status == 201
    _, contacts = voice.request("GET", "/contacts?group_id=" + group)
    assert [contact["id"] for contact in contacts["data"]] == [created["data"]["id"]]


def test_starts_with_an_empty_emulator(voice):
    _, contacts = voice.request("GET", "/contacts")
    assert contacts["data"] == []


def test_an_error_names_the_invalid_field(voice):
    status, result = voice.request("POST", "/contacts", {"first_name": ""})
    assert (status, result["error"]["code"]) == (400, "validation_failed")
    assert ["first_name"] in [detail["path"] for detail in result["error"]["details"]]


def test_the_prompt_contains_the_callers_data(voice, control, hook_url):
    _, prompt = voice.request(
        "POST", "/prompts", {"name": "P", "kind": "answering", "text": "Bekannt ist: @preCallData"}
    )
    _, voices = voice.request("GET", "/voices")
    status, assistant = voice.request(
        "POST",
        "/assistants",
        {
            "name": "Empfang",
            "language": "de",
            "voice_id": voices["data"][0]["id"],
            "company_name": "Firma",
            "company_industry": "Handel",
            "introduction": "Guten Tag.",
            "prompt_id": prompt["data"]["id"],
            "pre_call_webhook": {
                "enabled": True,
                "url": hook_url,
                "auth": {"type": "bearer", "secret": os.environ["HOOK_SECRET"]},
            },
        },
    )
    assert status == 201, assistant
    called = lambda number: control(  # noqa: E731
        "POST", "/incoming-calls", {"assistant_id": assistant["data"]["id"], "from": number}
    )
    assert "Anna Wei" in called("+4915112345678")["prompt"]
    assert called("+493099999999")["webhook"]["response"]["body"] == "{}"
