"""The receiver of hook.py with FastAPI: uvicorn fastapi_hook:app --port 3000"""

from fastapi import Body, FastAPI, Header, HTTPException
from hook import is_allowed, find_caller

app = FastAPI()


@app.post("/hook")
def hook(call: dict = Body(), authorization: str = Header("")):
    if not is_allowed(authorization):
        raise HTTPException(401, "unauthorized")
    return find_caller(call.get("from"))
