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


def test_a_contact_is_found_by_its_group(voice):
    _, groups = voice.ask("GET", "/groups?type=contacts")
    group = groups["data"][0]["id"]
    status, created = voice.ask("POST", "/contacts", {"group_id": group, "first_name": "Anna"})
    assert status == 201
    _, contacts = voice.ask("GET", "/contacts?group_id=" + group)
    assert [contact["id"] for contact in contacts["data"]] == [created["data"]["id"]]


def test_the_world_of_another_test_is_another_one(voice):
    _, contacts = voice.ask("GET", "/contacts")
    assert contacts["data"] == []


def test_a_refusal_says_which_field_is_wrong(voice):
    status, answer = voice.ask("POST", "/contacts", {"first_name": ""})
    assert (status, answer["error"]["code"]) == (400, "validation_failed")
    assert ["first_name"] in [detail["path"] for detail in answer["error"]["details"]]


def test_the_prompt_tells_what_the_hook_knows_of_a_caller(voice, control, hook_url):
    _, prompt = voice.ask(
        "POST", "/prompts", {"name": "P", "kind": "answering", "text": "Bekannt ist: @preCallData"}
    )
    _, voices = voice.ask("GET", "/voices")
    status, assistant = voice.ask(
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
