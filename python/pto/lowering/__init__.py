"""Lowerings of `tirx` primitives: one folder per primitive, one file per variant.

Importing this package imports every file of those folders, which registers their variants.
"""

from importlib import import_module
from pkgutil import iter_modules, walk_packages

for _folder in iter_modules(__path__, f"{__name__}."):
    if _folder.ispkg:
        for _file in walk_packages(import_module(_folder.name).__path__, f"{_folder.name}."):
            import_module(_file.name)
