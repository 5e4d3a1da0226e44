"""Drives zerto-guard-mcp with the client of the official Python SDK, as the scenarios on stdin say, all of them side by side, and
prints what came of each step as JSON. It judges nothing: that is done by the tests that start it.

A scenario: {"server": [program, argument...], "env": {}, "mode": "legacy" | "auto", "human": null | "yes" | "no" | "unticked" |
"cancel" | "fails", "steps": [step...]}. A step is one of
  {"list": true}                                   the tools
  {"call": tool, "with": {}}                       a call, with the progress that was told meanwhile
  {"together": [call...]}                          several at once
  {"cancel": call, "at": text}                     a call that is called off once progress with that text has come
  {"retry": call}                                  a call that is made again until it is no refusal, or for half a minute
  {"leave": call, "at": text}                      the same, but the client goes, and closes the server's stdin
"""

import asyncio
import json
import sys
import time

from mcp import types
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters


class Gone(Exception):
    """The client leaves in the middle of a call."""


async def run(scenario: dict) -> dict:
    asked: list[str] = []

    async def human(_context, params):
        asked.append(params.message)
        match scenario["human"]:
            case "yes":
                return types.ElicitResult(action="accept", content={"confirm": True})
            case "unticked":
                return types.ElicitResult(action="accept", content={"confirm": False})
            case "no":
                return types.ElicitResult(action="decline")
            case "cancel":
                return types.ElicitResult(action="cancel")
            case _:
                return types.ErrorData(code=-32603, message="the window was closed")

    def server() -> Client:
        program, *arguments = scenario["server"]
        return Client(
            StdioServerParameters(command=program, args=arguments, env=scenario["env"]),
            mode=scenario["mode"],
            client_info=types.Implementation(name="Test Client", version="1"),
            elicitation_callback=human if scenario["human"] else None,
        )

    async def call(client: Client, step: dict, at: str | None = None, reached: asyncio.Event | None = None) -> dict:
        progress: list[str] = []

        async def told(_progress, _total, message):
            progress.append(message)
            if at and at in message and reached:
                reached.set()

        began = len(asked)
        try:
            result = await client.call_tool(step["call"], step["with"], progress_callback=told)
        except Exception as error:  # what the client itself makes of it
            return {"protocol_error": f"{type(error).__name__}: {error}", "progress": progress}
        return {
            "text": "\n".join(block.text for block in result.content),
            "structured": result.structured_content,
            "is_error": bool(result.is_error),
            "progress": progress,
            "asked": asked[began:],
        }

    async def until(client: Client, step: dict, at: str) -> asyncio.Task:
        reached = asyncio.Event()
        task = asyncio.create_task(call(client, step, at, reached))
        arrived = asyncio.create_task(reached.wait())
        await asyncio.wait({task, arrived}, return_when=asyncio.FIRST_COMPLETED, timeout=30)
        return task

    results = []
    began = time.monotonic()
    try:
        async with server() as client:
            version = client.protocol_version
            for step in scenario["steps"]:
                if "list" in step:
                    tools = (await client.list_tools()).tools
                    results.append([tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools])
                elif "together" in step:
                    results.append(await asyncio.gather(*(call(client, one) for one in step["together"])))
                elif "cancel" in step:
                    task = await until(client, step["cancel"], step["at"])
                    results.append({"was_running": not task.done()})
                    task.cancel()
                    await asyncio.gather(task, return_exceptions=True)
                elif "retry" in step:
                    deadline = time.monotonic() + 30
                    while (came := await call(client, step["retry"])).get("is_error") and time.monotonic() < deadline:
                        await asyncio.sleep(0.2)
                    results.append(came)
                elif "leave" in step:
                    task = await until(client, step["leave"], step["at"])
                    results.append({"was_running": not task.done()})
                    began = time.monotonic()
                    raise Gone
                else:
                    results.append(await call(client, step))
            began = time.monotonic()
    except* Gone:
        pass
    return {"version": version, "results": results, "closing": time.monotonic() - began}


async def main() -> None:
    print(json.dumps(await asyncio.gather(*(run(scenario) for scenario in json.load(sys.stdin)))))


asyncio.run(main())
