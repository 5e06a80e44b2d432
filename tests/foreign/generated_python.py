"""A client that openapi-generator has made plays a game with bots: URL. Its folder is where this runs."""

import json
import sys

import openapi_client as made

api = made.ApiClient(made.Configuration(host=sys.argv[1]))
players, tables, play = made.PlayersApi(api), made.TablesApi(api), made.PlayApi(api)
api.configuration.access_token = players.register_player(made.Registration(name="Ada")).token
request = {"game": "crocodile", "bots": {"1": "random", "2": "random"}}
table = tables.open_table(made.TableRequest.from_dict(request)).table
view = tables.take_seat(table, seat_request=made.SeatRequest(seat=0))
while view.status == "playing":
    open_now = play.get_offers(table, after=view.version - 1, wait=20)
    if 0 in open_now.to_act:
        offer = next(one for one in open_now.to_dict()["offers"] if one["type"] not in ("concede", "talk"))
        chosen = {
            name: field["one_of"][0] if "one_of" in field else field["some_of"][: field.get("min", 0)]
            for name, field in offer["fields"].items()
        }
        play.act(table, made.Action.from_dict({"type": offer["type"], **chosen}))
    view = tables.get_table(table, after=view.version, wait=20)
print(json.dumps({"table": str(table), "status": view.status, "version": view.version}))
