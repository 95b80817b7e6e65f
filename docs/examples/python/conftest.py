"""Fixtures for pytest: a client of the service, and an emulator that is empty before each test.

    voxctl emulator exec --seed empty -- pytest

starts an emulator, runs the tests and stops the emulator. Requires only Python's standard library and pytest.
"""

import json
import os
import urllib.error
import urllib.request

import pytest


class Voice:
    """A client of the Public API."""

    def __init__(self, base_url, key):
        self.base_url = base_url
        self.key = key

    def request(self, method, path, body=None):
        """Sends a request. Returns the status and the parsed body."""
        return send(method, self.base_url + path, self.key, body)


def send(method, url, key, body=None):
    request = urllib.request.Request(
        url,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": "Bearer " + key, "Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


@pytest.fixture
def control():
    """Calls the emulator's control interface: control("POST", "/incoming-calls", {...})."""
    url = os.environ["VOXCTL_EMULATOR_URL"] + "/_emulator"
    token = os.environ["VOXCTL_EMULATOR_CONTROL_TOKEN"]

    def request(method, path, body=None):
        status, result = send(method, url + path, token, body)
        assert status < 400, result
        return result["data"]

    return request


@pytest.fixture
def voice(control):
    """Resets the emulator, which keeps its keys. Returns a client."""
    control("POST", "/reset", {})
    return Voice(os.environ["VOXCTL_BASE_URL"], os.environ["VOXCTL_API_KEY"])
