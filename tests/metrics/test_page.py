"""The page of metrics says what there is."""

from __future__ import annotations

import re
from pathlib import Path

from tests.metrics.page import JAPANESE, PAGE, QUESTIONS, SERVICES, collectors, labels_of, page

SOURCES = Path(__file__).parents[2] / "services"


def test_the_page_is_what_the_code_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "write it anew: .venv/bin/python -m tests.metrics"


def test_every_service_with_metrics_is_on_the_page() -> None:
    kept = {path.parent.name for path in SOURCES.glob("*/metrics.py")} - {"common"}
    assert kept == set(SERVICES)


def test_questions_and_japanese_speak_of_metrics_that_there_are() -> None:
    families = [family for service in SERVICES for each in collectors(service) for family in each.describe()]
    assert set(JAPANESE) == {family.name for family in families}
    endings = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count"), "gauge": ("",)}
    samples = {family.name + ending for family in families for ending in endings[family.type]}
    labels = {label for service in SERVICES for each in collectors(service) for label in labels_of(each)} | {"le"}
    for _, _, query in QUESTIONS:
        assert set(re.findall(r"daifugo_\w+", query)) <= samples, query
        named = re.findall(r"by \((\w+)\)", query) + re.findall(r"[{,](\w+)=", query)
        assert set(named) <= labels, query
