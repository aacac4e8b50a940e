"""What the chart renders: valid for Kubernetes, as it was, and as safe as the strictest profile asks."""

from __future__ import annotations

from typing import Any

import kubernetes_validate  # type: ignore[import-untyped]  # ships no types
import pytest
import yaml

from services.game.app import NAMES
from tests.chart.binary import ROOT
from tests.chart.chart import CHART, EVERYTHING, SNAPSHOT, Object, Refused, Values, one, render, run, template

pytestmark = pytest.mark.usefixtures("helm_binary")

CUSTOM = {"ServiceMonitor": {"selector", "endpoints"}}
"""Kinds that Kubernetes itself does not know, and what their specs hold here."""

WITHOUT_EXTRAS: Values = {
    "serviceAccount": {"create": False},
    "securityContext": {"runAsUser": None, "runAsGroup": None},
    "game": {
        "replicaCount": 0,
        "preStopSeconds": 0,
        "podDisruptionBudget": {"enabled": False},
        "config": {"admin_port": 0},
    },
    "networkPolicy": {"enabled": True},
}

MATRIX = [
    pytest.param(values, version, id=f"{name}-{version}")
    for name, values in [("default", {}), ("everything", EVERYTHING), ("without extras", WITHOUT_EXTRAS)]
    for version in ("1.30.0", "1.37.0")
]


def pods(objects: list[Object]) -> list[Object]:
    return [x["spec"]["template"] for x in objects if x["kind"] in ("StatefulSet", "Deployment")]


@pytest.mark.parametrize("values", [{}, EVERYTHING, WITHOUT_EXTRAS], ids=["default", "everything", "without extras"])
def test_helm_lint_has_nothing_to_say(values: Values) -> None:
    said = run("lint", "--strict", str(CHART), values=values)
    assert "[WARNING]" not in said
    assert "[ERROR]" not in said


@pytest.mark.parametrize(("values", "version"), MATRIX)
def test_every_object_is_valid_for_kubernetes(values: Values, version: str) -> None:
    objects = render(values, kubernetes=version)
    assert objects
    for rendered in objects:
        if rendered["kind"] in CUSTOM:
            assert set(rendered["spec"]) == CUSTOM[rendered["kind"]]
        else:
            kubernetes_validate.validate(rendered, version, strict=True)
        assert rendered["metadata"]["namespace"] == "games"


def test_a_misspelt_field_would_be_found() -> None:
    rendered = one(render(), "StatefulSet")
    container = rendered["spec"]["template"]["spec"]["containers"][0]
    container["readynessProbe"] = container.pop("readinessProbe")
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(rendered, "1.37.0", strict=True)


def test_no_two_objects_share_a_name() -> None:
    names = [(x["kind"], x["metadata"]["name"]) for x in render(EVERYTHING)]
    assert len(names) == len(set(names))


def test_the_default_rendering_is_the_committed_one() -> None:
    assert template() == SNAPSHOT.read_text(encoding="utf-8"), "if this is meant: python -m tests.chart"


def test_the_chart_is_for_this_version_of_the_program() -> None:
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text(encoding="utf-8"))
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'version = "{chart["appVersion"]}"' in project


def test_an_older_kubernetes_is_refused() -> None:
    with pytest.raises(Refused, match="kubeVersion"):
        render(kubernetes="1.29.0")


@pytest.mark.parametrize("values", [{}, EVERYTHING], ids=["default", "everything"])
def test_pods_have_no_more_rights_than_they_need(values: Values) -> None:
    for pod in pods(render(values)):
        spec = pod["spec"]
        assert spec["automountServiceAccountToken"] is False
        volumes = {volume["name"] for volume in spec["volumes"]}
        group = {"fsGroup": 10001} if "store" in volumes or spec["containers"][0]["name"] == "game" else {}
        assert spec["securityContext"] == {
            "runAsNonRoot": True,
            "runAsUser": 10001,
            "runAsGroup": 10001,
            "seccompProfile": {"type": "RuntimeDefault"},
            **group,
        }
        for container in spec["containers"]:
            assert container["securityContext"] == {
                "runAsNonRoot": True,
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }
            assert {"cpu", "memory"} <= set(container["resources"]["requests"])
            assert "memory" in container["resources"]["limits"]
        assert all("emptyDir" in volume for volume in spec["volumes"])


def test_a_platform_may_choose_the_user_but_never_root() -> None:
    (pod,) = pods(render(WITHOUT_EXTRAS))
    assert set(pod["spec"]["securityContext"]) == {"runAsNonRoot", "seccompProfile"}


def test_no_secret_is_rendered() -> None:
    assert "Secret" not in {x["kind"] for x in render(EVERYTHING)}


def test_services_select_the_pods_and_their_ports() -> None:
    objects = render(EVERYTHING)
    found = pods(objects)
    for service in (x["spec"] for x in objects if x["kind"] == "Service"):
        (pod,) = [x for x in found if service["selector"].items() <= x["metadata"]["labels"].items()]
        ports = {port["name"] for port in pod["spec"]["containers"][0]["ports"]}
        assert {port["targetPort"] for port in service["ports"]} <= ports


def test_the_game_has_a_headless_service_that_names_its_pods() -> None:
    objects = render()
    headless = one(objects, "Service", "-nodes")
    assert headless["spec"]["clusterIP"] == "None"
    assert one(objects, "StatefulSet")["spec"]["serviceName"] == headless["metadata"]["name"]


def test_clients_cannot_reach_the_admin_port_through_their_service() -> None:
    assert [port["name"] for port in one(render(), "Service", "-game")["spec"]["ports"]] == ["grpc"]


def test_the_matchmaker_is_rendered_on_request_only() -> None:
    assert "matchmaker" not in template()
    names = {(x["kind"], x["metadata"]["name"]) for x in render({"matchmaker": {"enabled": True}})}
    assert ("Deployment", "daifugo-matchmaker") in names


def test_probes_ask_for_health_on_the_port_of_the_service() -> None:
    (pod,) = pods(render({"game": {"config": {"port": 6000}}}))
    container = pod["spec"]["containers"][0]
    assert container["readinessProbe"]["grpc"] == {"port": 6000, "service": "daifugo.v1.GameService"}
    assert container["readinessProbe"]["grpc"]["service"] in NAMES
    # Without a name: the process as a whole.
    assert container["livenessProbe"]["grpc"] == container["startupProbe"]["grpc"] == {"port": 6000}


@pytest.mark.parametrize(
    ("pause", "grace", "needed"), [(5, 5, 15), (0, 5, 10), (5, 0, 5), (10, 2.5, 15), (0, 0.1, 1), (30, 3600, 7230)]
)
def test_a_pod_is_given_the_time_that_a_clean_stop_takes(pause: int, grace: float, needed: int) -> None:
    """The pause, then calls under way and what is still to be written, each for `grace_seconds` at most."""
    (pod,) = pods(render({"game": {"preStopSeconds": pause, "config": {"grace_seconds": grace}}}))
    assert pod["spec"]["terminationGracePeriodSeconds"] == needed + 10
    lifecycle = pod["spec"]["containers"][0].get("lifecycle")
    assert lifecycle == ({"preStop": {"sleep": {"seconds": pause}}} if pause else None)


def test_liveness_never_cuts_a_clean_stop_short() -> None:
    """While the service drains, its health is NOT_SERVING."""
    (pod,) = pods(render())
    liveness = pod["spec"]["containers"][0]["livenessProbe"]
    pause = pod["spec"]["containers"][0]["lifecycle"]["preStop"]["sleep"]["seconds"]
    stopping = pod["spec"]["terminationGracePeriodSeconds"] - pause
    assert liveness["periodSeconds"] * liveness["failureThreshold"] > stopping


def test_a_changed_setting_replaces_the_pods_and_a_new_chart_alone_does_not() -> None:
    def checksum(values: Values) -> Any:
        (pod,) = pods(render(values))
        return pod["metadata"]["annotations"]["checksum/config"]

    assert checksum({}) == checksum({"game": {"service": {"port": 1}}})
    assert checksum({}) != checksum({"game": {"config": {"max_tables": 9}}})
    assert not any(
        "version" in label or "chart" in label for pod in pods(render()) for label in pod["metadata"]["labels"]
    )


def test_settings_come_from_the_config_map_alone() -> None:
    """A Service called daifugo would put DAIFUGO_PORT=tcp://... into every pod of its namespace."""
    for pod in pods(render(EVERYTHING)):
        assert pod["spec"]["enableServiceLinks"] is False


def test_long_release_names_stay_within_what_kubernetes_takes() -> None:
    for rendered in render(EVERYTHING, release="r" * 53):
        assert len(rendered["metadata"]["name"]) <= (52 if rendered["kind"] == "StatefulSet" else 63)


def test_an_image_is_named_by_tag_or_by_digest() -> None:
    def image(**image: str) -> Any:
        (pod,) = pods(render({"image": image}))
        return pod["spec"]["containers"][0]["image"]

    assert image() == "daifugo:0.1.0"
    assert image(repository="r.example/d", tag="1") == "r.example/d:1"
    digest = "sha256:" + "a" * 64
    assert image(tag="1", digest=digest) == f"daifugo@{digest}"


def test_a_policy_lets_clients_in_and_the_game_service_call_nobody() -> None:
    clients = [{"podSelector": {"matchLabels": {"app": "gateway"}}}]
    policy = one(render({"networkPolicy": {"enabled": True, "clients": clients}}), "NetworkPolicy")["spec"]
    assert policy["policyTypes"] == ["Ingress", "Egress"]
    assert policy["egress"] == []
    calls, metrics = policy["ingress"]
    assert calls == {"ports": [{"port": "grpc"}], "from": clients}
    assert metrics == {"ports": [{"port": "metrics"}], "from": [{"namespaceSelector": {}}]}


def test_a_policy_lets_the_matchmaker_call_the_game_service() -> None:
    objects = render(EVERYTHING)
    matchmaker = one(objects, "Deployment", "-matchmaker")["spec"]["selector"]
    game = one(objects, "StatefulSet")["spec"]["selector"]
    assert {"podSelector": matchmaker} in one(objects, "NetworkPolicy", "-game")["spec"]["ingress"][0]["from"]
    assert {"podSelector": game} in one(objects, "NetworkPolicy", "-matchmaker")["spec"]["egress"][1]["to"]


def test_policies_let_the_others_read_the_keys_and_the_identity_service_call_nobody() -> None:
    objects = render(EVERYTHING)
    identity = one(objects, "Deployment", "-identity")["spec"]["selector"]
    policy = one(objects, "NetworkPolicy", "-identity")["spec"]
    assert policy["egress"] == []
    readers = [each["from"] for each in policy["ingress"] if each["ports"] == [{"port": "metrics"}]][-1]
    others = [("StatefulSet", "-game"), ("Deployment", "-matchmaker")]
    assert readers == [{"podSelector": one(objects, *other)["spec"]["selector"]} for other in others]
    for _, name in others:
        rules = one(objects, "NetworkPolicy", name)["spec"]["egress"]
        assert {"ports": [{"port": "grpc"}, {"port": "metrics"}], "to": [{"podSelector": identity}]} in rules


def test_the_identity_service_is_rendered_on_request_only() -> None:
    assert "identity" not in template().replace("per_identity", "").replace("PER_IDENTITY", "")
    names = {(x["kind"], x["metadata"]["name"]) for x in render({"identity": {"enabled": True}})}
    assert {("Deployment", "daifugo-identity"), ("Service", "daifugo-identity-nodes")} <= names


def test_monitors_select_one_service_with_their_port() -> None:
    objects = render(EVERYTHING)
    services = [x for x in objects if x["kind"] == "Service"]
    for monitor in (x for x in objects if x["kind"] == "ServiceMonitor"):
        wanted = monitor["spec"]["selector"]["matchLabels"].items()
        ports = [
            port["name"] for x in services if wanted <= x["metadata"]["labels"].items() for port in x["spec"]["ports"]
        ]
        assert [ports.count(endpoint["port"]) for endpoint in monitor["spec"]["endpoints"]] == [1]
        assert monitor["metadata"]["labels"]["release"] == "prometheus"


def test_notes_say_where_the_service_is_and_what_would_end_games() -> None:
    install = ("install", "daifugo", str(CHART), "--namespace", "games", "--dry-run=client")
    notes = run(*install, values={})
    assert "daifugo-game.games.svc:50051" in notes
    assert "port-forward svc/daifugo-game 50051:50051" in notes
    assert "ends every game" not in notes
    assert "ends every game" in run(*install, values={"game": {"storage": "memory"}})
