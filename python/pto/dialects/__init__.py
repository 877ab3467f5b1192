"""Operation classes of the `pto` and `tirx` dialects, generated from their TableGen."""
