"""`pto bench` without a GPU, `pto cache`, and the tables that are made of results."""

import json

import pytest

import pto
from pto.bench.cases import cases
from pto.bench.report import markdown
from pto.runtime import gpu


def row(group, name, size, failures=None, **times):
    results = {name: {"us": time, "error": 0.0} for name, time in times.items()}
    return {
        "group": group,
        "name": name,
        "bytes": size,
        "results": results,
        "failures": failures or {},
    }


RESULTS = {
    "device": "NVIDIA H200",
    "power_limit": "700.00 W",
    "versions": {"cupy": "14.2"},
    "timed": "a complete call",
    "rounds": 21,
    "copy_tb_s": 4.0,
    "rows": [
        row("sum", "2^20 f32", 4_000_000, pto=8.0, cupy=9.0, torch=12.0),
        row("sum", "2^24 f32", 64_000_000, pto=32.0, cupy=16.0),
        row("sum, deterministic", "2^20 f32", 4_000_000, {"cub": "no nvcc"}, pto=10.0),
    ],
}


def test_a_table_has_times_rate_share_and_ratio():
    lines = markdown(RESULTS).splitlines()
    assert "| sum | pto us | cupy us | torch us | pto TB/s | share | peer / pto |" in lines
    assert "| 2^20 f32 | 8.0 | 9.0 | 12.0 | 0.50 | 12% | 1.12 |" in lines
    assert "| 2^24 f32 | 32.0 | 16.0 |  | 2.00 | 50% | 0.50 |" in lines
    assert "| geometric mean |  |  |  |  |  | 0.75 |" in lines


def test_a_report_has_one_mean_over_all_matrices():
    rows = [
        row("prod over rows, f32", "16 x 16", 1088, pto=2.0, torch=8.0),
        row("prod over columns, f16", "16 x 16", 544, pto=2.0, torch=2.0),
    ]
    text = markdown(RESULTS | {"rows": [*RESULTS["rows"], *rows]})
    assert "Over all 2 products of matrices the best other library takes\n2.000 times" in text
    assert "Over all" not in markdown(RESULTS)


def test_a_table_without_peers_has_no_ratio():
    assert "| 2^20 f32 | 10.0 | 0.40 | 10% |  |" in markdown(RESULTS).splitlines()


def test_calls_that_failed_are_told():
    assert "- cub: no nvcc" in markdown(RESULTS).splitlines()


def test_a_report_begins_with_what_was_timed_on_what():
    head = markdown(RESULTS).partition("\n|")[0]
    assert head.startswith("NVIDIA H200; cupy 14.2.")
    assert "Timed: a complete call; medians of 21." in head
    assert "4.00 TB/s" in head


def test_the_cases_are_those_of_the_table():
    found = list(cases(quick=False))
    assert len(found) == 9 + 6 * 6
    assert {case.group for case in found if case.axis is None} == {
        "sum",
        "prod",
        "sum, deterministic",
    }
    assert len(list(cases(quick=True))) < len(found)


def test_a_case_counts_each_element_once():
    (case,) = (c for c in cases(True) if c.group == "prod over rows, f32" and c.shape[0] == 128)
    assert case.bytes == (128 * 1024 + 1024) * 4 and case.length == 128


def test_table_prints_what_json_holds(pto_cli, tmp_path):
    file = tmp_path / "h200.json"
    file.write_text(json.dumps(RESULTS))
    assert pto_cli("bench", "table", file).stdout == markdown(RESULTS)


@pytest.mark.parametrize("text", ["", "[]", "{}"])
def test_what_is_no_result_is_refused(pto_cli, tmp_path, text):
    file = tmp_path / "x.json"
    file.write_text(text)
    done = pto_cli("bench", "table", file)
    assert done.exit_code == 1
    assert done.stderr.startswith(f"error: {file}: no results of `pto bench reduce --json`")


def test_without_a_gpu_nothing_is_measured(pto_cli, monkeypatch):
    monkeypatch.setattr(gpu, "device_count", lambda: 0)
    done = pto_cli("bench", "reduce")
    assert done.exit_code == 1
    assert done.stderr == (
        "error: pto bench reduce: there is no CUDA device (or no CuPy) to measure on\n"
    )


def test_cache_lists_and_clears(pto_cli, monkeypatch, tmp_path):
    import numpy as np

    from pto.reductions import cache, call

    monkeypatch.setenv("PTO_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(cache, "_memory", {})
    monkeypatch.setattr(call, "_calls", {})
    pto.max(np.ones(5, np.float32))
    header, kernel, _, total = pto_cli("cache", "list").stdout.splitlines()
    assert header.split() == ["kernel", "target", "threads", "cluster", "bytes", "key"]
    assert kernel.split()[:2] == ["max_f32_f32_flat", "sm_90a"]
    assert total == f"{tmp_path}: 1 kernels, 0 measured plans"
    assert pto_cli("cache", "clear").stdout == "removed 1 files\n"


def test_a_cache_that_is_off_says_so(pto_cli, monkeypatch):
    monkeypatch.setenv("PTO_CACHE_DIR", "off")
    assert pto_cli("cache", "list").stdout == "PTO_CACHE_DIR=off: nothing is cached\n"
