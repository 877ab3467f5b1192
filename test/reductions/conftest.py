"""A cache of its own for every run, which its tests share: kernels are compiled once."""

import pytest


@pytest.fixture(scope="session", autouse=True)
def cache_directory(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PTO_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield
