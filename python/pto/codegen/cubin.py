"""Assembles PTX in this process with NVIDIA's nvJitLink; no driver and no GPU are needed."""

from pto.errors import CompileError


def assemble(ptx: str, chip: str) -> bytes:
    """The cubin of `ptx` for `chip`. A `CompileError` carries the assembler's log."""
    try:
        from cuda.bindings import nvjitlink  # pyright: ignore[reportAttributeAccessIssue]
    except ImportError as error:
        raise CompileError(
            "a cubin needs NVIDIA's assembler: pip install 'pto[cubin]' "
            "(nvidia-nvjitlink and cuda-bindings)"
        ) from error
    options = [f"-arch={chip}"]
    handle = nvjitlink.create(len(options), options)
    data = ptx.encode() + b"\0"
    try:
        nvjitlink.add_data(handle, nvjitlink.InputType.PTX, data, len(data), "kernel.ptx")
        nvjitlink.complete(handle)
        cubin = bytearray(nvjitlink.get_linked_cubin_size(handle))
        nvjitlink.get_linked_cubin(handle, cubin)
    except nvjitlink.nvJitLinkError as error:
        log = bytearray(nvjitlink.get_error_log_size(handle))
        nvjitlink.get_error_log(handle, log)
        message = log.decode(errors="replace").rstrip("\0\n") or str(error)
        raise CompileError(f"the assembler rejects the PTX for {chip}:\n{message}") from None
    finally:
        nvjitlink.destroy(handle)
    return bytes(cubin)
