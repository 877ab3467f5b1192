"""Lines of `sim/ptx/dsmem_exchange.ptx` that bugs are planted into."""

INIT_FENCE = "fence.mbarrier_init.release.cluster;\n"
PROXY_FENCE = "fence.proxy.async.shared::cta;\n"
COPY = "[%rd8], [%rd3], 1024, [%rd9];\n"
EXPECT = "mbarrier.arrive.expect_tx.shared.b64 \t%rd10, [smem+2048], 1024;\n"
WAIT = "mbarrier.try_wait.parity.shared.b64 P1, [%r10], 0, 10000000;"
AT_START = (
    "READY:\n\tbarrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;"
)
AT_END = "DONE:\n\tbarrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;"


def plant(ptx, old, new):
    """Replaces the first occurrence; there must be one."""
    assert old in ptx
    return ptx.replace(old, new, 1)
