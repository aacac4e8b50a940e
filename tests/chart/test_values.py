"""What operators may set: every setting of the services, each within bounds, and nothing else."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import click
import pytest
from click.testing import CliRunner

from services.common.config import options
from services.game.config import GameConfig
from services.identity.config import IdentityConfig
from services.matchmaker.config import MatchmakerConfig
from tests.chart.chart import CHART, EVERYTHING, Refused, Values, defaults, one, render, run

pytestmark = pytest.mark.usefixtures("helm_binary")

OTHERWISE = {"host": "0.0.0.0", "admin_port": 9090, "open_mode": True}
"""Settings whose default in a pod is not that at home."""

TYPES = {str: "string", int: "integer", float: "number", bool: "boolean"}

SCHEMA: dict[str, Any] = json.loads((CHART / "values.schema.json").read_text(encoding="utf-8"))


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    name = schema.get("$ref", "").removeprefix("#/$defs/")
    found: dict[str, Any] = SCHEMA["$defs"][name] if name else schema
    return found


def started_with(values: Values) -> GameConfig:
    """Start a service's command with the environment that its pod would have, and return what it reads."""
    read = []

    @click.command()
    @options(GameConfig)
    def command(**settings: Any) -> None:
        read.append(GameConfig(**settings))

    environment = one(render(values), "ConfigMap", "-game")["data"]
    assert all(isinstance(value, str) for value in environment.values())
    done = CliRunner(env=environment).invoke(command, [], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return read[0]


def test_every_setting_is_a_value_with_the_same_default() -> None:
    expected = {field.name: field.default for field in fields(GameConfig)} | OTHERWISE
    # What follows from the rest of the release.
    assert defaults()["game"]["config"] == expected | {"store": ""}


def test_every_setting_of_the_matchmaker_is_a_value_but_for_its_secret_token() -> None:
    expected = {field.name: field.default for field in fields(MatchmakerConfig)} | OTHERWISE
    del expected["game_token"], expected["game_key"]
    # What follows from the rest of the release.
    assert defaults()["matchmaker"]["config"] == expected | {"game_address": ""}
    schema = SCHEMA["properties"]["matchmaker"]["properties"]["config"]
    assert schema["properties"].keys() == expected.keys()


def test_every_setting_of_the_identity_service_is_a_value() -> None:
    expected = {field.name: field.default for field in fields(IdentityConfig)} | OTHERWISE
    # What follows from the rest of the release.
    assert defaults()["identity"]["config"] == expected | {"issuer": "", "store": "memory", "open_mode": False}
    schema = SCHEMA["properties"]["identity"]["properties"]["config"]
    assert list(schema["properties"]) == list(expected)


def test_the_services_of_a_release_take_the_tokens_of_its_identity_service() -> None:
    both = {"matchmaker": {"enabled": True, "gameKeySecret": "key"}, "identity": {"enabled": True}}
    objects = render(both)
    environments = {name: one(objects, "ConfigMap", f"-{name}")["data"] for name in ("game", "matchmaker", "identity")}
    assert {each["DAIFUGO_ISSUER"] for each in environments.values()} == {"http://daifugo-identity-nodes:9090"}
    assert environments["matchmaker"]["DAIFUGO_IDENTITY_ADDRESS"] == "daifugo-identity:50053"
    assert environments["identity"]["DAIFUGO_STORE"] == "memory"
    # who has an issuer of their own keeps it
    elsewhere = {**both, "game": {"config": {"issuer": "https://accounts.example"}}}
    assert one(render(elsewhere), "ConfigMap", "-game")["data"]["DAIFUGO_ISSUER"] == "https://accounts.example"
    assert one(render({}), "ConfigMap", "-game")["data"]["DAIFUGO_ISSUER"] == ""


def test_accounts_are_kept_on_a_claim() -> None:
    objects = render({"identity": {"enabled": True, "existingClaim": "accounts"}})
    pod = one(objects, "Deployment")["spec"]["template"]["spec"]
    mounts = {mount["name"]: mount["mountPath"] for mount in pod["containers"][0]["volumeMounts"]}
    assert one(objects, "ConfigMap", "-identity")["data"]["DAIFUGO_STORE"].startswith(mounts["store"] + "/")
    assert pod["securityContext"]["fsGroup"] == pod["securityContext"]["runAsGroup"]


def matchmaker_with(values: Values) -> list[dict[str, Any]]:
    return render({"matchmaker": {"enabled": True, **values}})


def test_the_matchmaker_finds_the_game_service_of_its_release() -> None:
    environment = one(matchmaker_with({}), "ConfigMap", "-matchmaker")["data"]
    assert environment["DAIFUGO_GAME_ADDRESS"] == "daifugo-game:50051"
    assert (environment["DAIFUGO_STORE"], environment["DAIFUGO_QUEUES"]) == ("memory", "")
    elsewhere = one(matchmaker_with({"config": {"game_address": "games:1"}}), "ConfigMap", "-matchmaker")["data"]
    assert elsewhere["DAIFUGO_GAME_ADDRESS"] == "games:1"


def test_the_matchmaker_gets_its_queues_its_store_and_its_token() -> None:
    text = '[queues.evening]\nname_en = "Evening"'
    objects = matchmaker_with({"queues": text, "existingClaim": "tickets", "gameTokenSecret": "who"})
    assert one(objects, "ConfigMap", "-matchmaker-queues")["data"]["queues.toml"].strip() == text
    environment = one(objects, "ConfigMap", "-matchmaker")["data"]
    pod = one(objects, "Deployment")["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
    assert environment["DAIFUGO_QUEUES"] == mounts["queues"] + "/queues.toml"
    assert environment["DAIFUGO_STORE"].startswith(mounts["store"] + "/")
    assert {volume["name"] for volume in pod["volumes"]} == mounts.keys()
    assert pod["securityContext"]["fsGroup"] == pod["securityContext"]["runAsGroup"]
    (token,) = container["env"]
    assert token["name"] == "DAIFUGO_GAME_TOKEN"
    assert token["valueFrom"] == {"secretKeyRef": {"name": "who", "key": "game_token"}}
    (key,) = one(matchmaker_with({"gameKeySecret": "by"}), "Deployment")["spec"]["template"]["spec"]["containers"][0][
        "env"
    ]
    assert key["name"] == "DAIFUGO_GAME_KEY"
    assert key["valueFrom"] == {"secretKeyRef": {"name": "by", "key": "game_key"}}


def test_the_game_service_keeps_its_tables_on_a_volume() -> None:
    objects = render({"game": {"persistence": {"size": "2Gi", "storageClass": "fast"}}})
    node = one(objects, "StatefulSet")["spec"]
    (claim,) = node["volumeClaimTemplates"]
    assert claim["spec"]["resources"]["requests"]["storage"] == "2Gi"
    assert claim["spec"]["storageClassName"] == "fast"
    pod = node["template"]["spec"]
    mounts = {mount["name"]: mount["mountPath"] for mount in pod["containers"][0]["volumeMounts"]}
    store = one(objects, "ConfigMap", "-game")["data"]["DAIFUGO_STORE"]
    assert store.startswith(mounts[claim["metadata"]["name"]] + "/")
    assert pod["securityContext"]["fsGroup"] == pod["securityContext"]["runAsGroup"]


def test_keys_of_the_store_come_from_a_secret() -> None:
    objects = render({"game": {"storeKeysSecret": "keys"}})
    pod = one(objects, "StatefulSet")["spec"]["template"]["spec"]
    (volume,) = [volume for volume in pod["volumes"] if volume["name"] == "store-keys"]
    assert volume["secret"]["secretName"] == "keys"
    mounts = {mount["name"]: mount["mountPath"] for mount in pod["containers"][0]["volumeMounts"]}
    (item,) = volume["secret"]["items"]
    environment = one(objects, "ConfigMap", "-game")["data"]
    assert item["key"] == "store_keys"
    assert environment["DAIFUGO_STORE_KEYS"] == f"{mounts['store-keys']}/{item['path']}"
    assert one(render({}), "ConfigMap", "-game")["data"]["DAIFUGO_STORE_KEYS"] == ""


def test_in_memory_there_is_no_volume() -> None:
    objects = render({"game": {"storage": "memory"}})
    node = one(objects, "StatefulSet")["spec"]
    assert "volumeClaimTemplates" not in node
    assert [mount["name"] for mount in node["template"]["spec"]["containers"][0]["volumeMounts"]] == ["tmp"]
    assert one(objects, "ConfigMap", "-game")["data"]["DAIFUGO_STORE"] == "memory"


def test_the_schema_knows_each_setting_by_name_and_type() -> None:
    schema = SCHEMA["properties"]["game"]["properties"]["config"]
    assert list(schema["properties"]) == [field.name for field in fields(GameConfig)]
    # What the templates themselves read; any other may be null, and then the program's default holds.
    assert schema["required"] == ["host", "port", "admin_port", "grace_seconds"]
    for field in fields(GameConfig):
        said = resolved(schema["properties"][field.name])
        assert said.get("type") == TYPES[type(field.default)] or field.default in said["enum"]


def test_by_default_a_pod_reads_the_defaults() -> None:
    otherwise = OTHERWISE | {"store": "/var/lib/daifugo/game.sqlite"}
    assert started_with({}) == GameConfig(**otherwise)  # type: ignore[arg-type]  # a dict of mixed values


def test_a_pod_reads_what_was_set() -> None:
    """Also numbers that a template would write as 1e+06."""
    changed: dict[str, Any] = {}
    for field in fields(GameConfig):
        if isinstance(field.default, bool):
            changed[field.name] = not field.default
        elif isinstance(field.default, int):
            changed[field.name] = 12345678
        elif isinstance(field.default, float):
            changed[field.name] = 1234567.0 if "grace" not in field.name else 0.25
    changed |= {"port": 54321, "admin_port": 0, "bot_processes": 999}
    changed |= {"host": "::", "store": "/data/a b", "port_file": "/tmp/a b: c", "locale": "ja", "log_level": "debug"}
    changed |= {"issuer": "https://accounts.example", "issuer_keys": "/etc/keys", "audience": "us", "store_keys": "/k"}
    changed |= {
        "write_seconds": 0.0001,
        "bot_command": "our-bots --fast",
        "bot_policies": "deep,wide",
        "bot_fill": "deep",
    }
    assert set(changed) == {field.name for field in fields(GameConfig)}
    assert started_with({"game": {"config": changed}}) == GameConfig(**changed)


def test_every_object_in_the_schema_is_closed() -> None:
    """Except those whose content Kubernetes checks, or whose names the operator chooses."""
    ours = ("affinity", "objects", "items", "global")

    def walk(name: str, schema: Any) -> None:
        if not isinstance(schema, dict):
            return
        if schema.get("type") == "object":
            closed = schema.get("additionalProperties")
            assert closed is False or isinstance(closed, dict) or name in ours, name
        for key, inner in schema.items():
            walk(key, inner)

    walk("", SCHEMA)


def test_the_schema_describes_every_value_and_no_other() -> None:
    def same(values: Any, schema: dict[str, Any], path: str) -> None:
        schema = resolved(schema)
        if isinstance(values, dict) and "properties" in schema and values:
            described = set(schema["properties"]) - {"global"}
            if not path.endswith("resources") and "resources." not in path:
                assert described == set(values), path
            for key, value in values.items():
                same(value, schema["properties"][key], f"{path}.{key}")

    same(defaults(), SCHEMA, "")


def test_the_readme_names_every_value() -> None:
    said = (CHART / "README.md").read_text(encoding="utf-8")
    for name, value in defaults().items():
        assert f"`{name}" in said, name
        for inner in value if name == "game" else ():
            assert f"`game.{inner}`" in said, inner


REFUSED: list[tuple[str, Values, str]] = [
    ("unknown at the top", {"gmae": {}}, "'gmae' not allowed"),
    ("unknown setting", {"game": {"config": {"max_tabels": 1}}}, "'max_tabels' not allowed"),
    ("unknown of a component", {"game": {"replicas": 1}}, "'replicas' not allowed"),
    ("unknown of the matchmaker", {"matchmaker": {"config": {"max_tables": 1}}}, "'max_tables' not allowed"),
    ("unknown probe", {"game": {"probes": {"live": {}}}}, "'live' not allowed"),
    ("unknown resource block", {"game": {"resources": {"limit": {}}}}, "'limit' not allowed"),
    ("two replicas", {"game": {"replicaCount": 2}}, "no more than 1, because game.storage is sqlite"),
    (
        "two replicas in memory",
        {"game": {"replicaCount": 2, "storage": "memory"}},
        "no more than 1, because game.storage is memory",
    ),
    ("a disk that several nodes share", {"game": {"persistence": {"accessModes": ["ReadWriteMany"]}}}, "accessModes"),
    ("a disk of no size", {"game": {"persistence": {"size": "much"}}}, "/game/persistence/size"),
    ("negative replicas", {"game": {"replicaCount": -1}}, "/game/replicaCount"),
    ("replicas as text", {"game": {"replicaCount": "1"}}, "/game/replicaCount"),
    (
        "the reason as a value",
        {"game": {"replicaCount": "no more than 1, because game.storage is sqlite, a file that replicas cannot share"}},
        "got string, want integer",
    ),
    ("storage that there is not", {"game": {"storage": "floppy"}}, "value must be one of 'sqlite', 'memory'"),
    ("a number as text", {"game": {"config": {"max_tables": "many"}}}, "got string, want integer"),
    ("a fraction of a table", {"game": {"config": {"max_tables": 1.5}}}, "want integer"),
    ("a switch as text", {"game": {"config": {"reflection": "false"}}}, "got string, want boolean"),
    ("no time at all", {"game": {"config": {"call_seconds": 0}}}, "/game/config/call_seconds"),
    ("a port taken at random", {"game": {"config": {"port": 0}}}, "/game/config/port"),
    ("no port", {"game": {"config": {"port": 65536}}}, "/game/config/port"),
    ("a setting taken away", {"game": {"config": {"host": None}}}, "/game/config"),
    ("another language", {"game": {"config": {"locale": "fr"}}}, "value must be one of 'ja', 'en'"),
    ("root", {"securityContext": {"runAsUser": 0}}, "/securityContext/runAsUser"),
    ("privileges", {"securityContext": {"privileged": True}}, "'privileged' not allowed"),
    ("more than the service takes", {"game": {"config": {"max_tables": 3_000_000_000}}}, "/game/config/max_tables"),
    ("a short digest", {"image": {"digest": "sha256:abc"}}, "/image/digest"),
    ("a memory limit that is none", {"game": {"resources": {"limits": {"memory": "1 GB"}}}}, "memory"),
    ("a secret in a pull secret", {"imagePullSecrets": [{"name": "x", "password": "y"}]}, "'password' not allowed"),
    ("a monitor of no metrics", {"serviceMonitor": {"enabled": True}, "game": {"config": {"admin_port": 0}}}, "needs"),
    ("one port for two things", {"game": {"config": {"admin_port": 50051}}}, "are the same"),
    ("an interval without a unit", {"serviceMonitor": {"interval": "30"}}, "/serviceMonitor/interval"),
]


@pytest.mark.parametrize(("values", "said"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_it_refuses(values: Values, said: str) -> None:
    with pytest.raises(Refused) as refusal:
        render(values)
    assert said in str(refusal.value)


def test_lint_refuses_too() -> None:
    with pytest.raises(Refused, match="'gmae' not allowed"):
        run("lint", str(CHART), values={"gmae": {}})


def test_two_replicas_are_refused_even_without_the_schema() -> None:
    with pytest.raises(Refused, match=r"game\.replicaCount can be 1 at most"):
        render({"game": {"replicaCount": 2}}, "--skip-schema-validation")


def test_a_chart_may_hold_this_one() -> None:
    assert render({"global": {"anything": 1}})


def test_everything_at_once_is_taken() -> None:
    assert render(EVERYTHING)
