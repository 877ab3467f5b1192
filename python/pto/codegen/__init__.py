"""From the NVVM dialect to PTX, and from PTX to a cubin."""
