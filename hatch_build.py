"""Generates the `casino` package from `protos/`: as hatchling's build hook, and by `python hatch_build.py`.

The proto root is the import root: package `casino.rounds.v1` becomes the Python package of that name, so no
import is rewritten. Everything is generated into a folder beside the target and moved into place file by
file, each by one rename, so that a process importing `casino` at that moment finds every module whole.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from importlib import resources
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "casino"
PLUGINS = ("protoc-gen-mypy", "protoc-gen-mypy_grpc")


class StubGenerator(BuildHookInterface[Any]):
    """Hatchling's hook: the stubs exist before the wheel's (or the editable install's) files are listed."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Generate into the project's root, for a wheel as for an editable install."""
        generate(Path(self.root))


def generate(root: Path) -> list[Path]:
    """Generate `root/casino` from `root/protos/casino`, return its files; SystemExit if protoc refuses."""
    protos = root / "protos"
    sources = sorted((protos / PACKAGE).rglob("*.proto"))
    if not sources:
        return []
    with tempfile.TemporaryDirectory(prefix=".casino-", dir=root) as scratch:
        fresh = Path(scratch)
        _compile(protos, fresh, sources)
        _make_package(fresh / PACKAGE)
        return _move_into_place(fresh / PACKAGE, root / PACKAGE)


def _compile(protos: Path, out: Path, sources: list[Path]) -> None:
    services = [source for source in sources if source.stem.endswith("_service")]
    _protoc(protos, out, sources, ("python_out", "mypy_out"))
    if services:
        _protoc(protos, out, services, ("grpc_python_out", "mypy_grpc_out"))


def _protoc(protos: Path, out: Path, sources: list[Path], outputs: tuple[str, ...]) -> None:
    from grpc_tools import protoc

    arguments = [
        "protoc",
        f"--proto_path={protos}",
        f"--proto_path={resources.files('grpc_tools') / '_proto'}",
    ]
    arguments += [f"--plugin={name}={_plugin(name)}" for name in PLUGINS]
    arguments += [f"--{output}={_quietly(output)}{out}" for output in outputs]
    if protoc.main(arguments + [str(source) for source in sources]) != 0:
        raise SystemExit(f"protoc refused the protos under {protos}; its messages stand above")


def _quietly(output: str) -> str:
    return "quiet:" if output.startswith("mypy") else ""


def _plugin(name: str) -> str:
    """The plugin's program: beside this interpreter, or in the build's isolated environment on PATH."""
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        raise SystemExit(f"expected the program {name} (package mypy-protobuf) beside {sys.executable} or on PATH")
    return found


def _make_package(package: Path) -> None:
    for folder in [package, *(path for path in package.rglob("*") if path.is_dir())]:
        (folder / "__init__.py").touch()
    (package / "py.typed").touch()


def _move_into_place(fresh: Path, target: Path) -> list[Path]:
    """Rename each generated file over the old one, then remove modules whose proto is gone."""
    made = sorted(path.relative_to(fresh) for path in fresh.rglob("*") if path.is_file())
    for name in made:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        if not _same(fresh / name, target / name):
            (fresh / name).replace(target / name)
    for old in sorted(target.rglob("*.py*")):
        if "__pycache__" not in old.parts and old.relative_to(target) not in made:
            old.unlink(missing_ok=True)
    return [target / name for name in made]


def _same(fresh: Path, old: Path) -> bool:
    return old.is_file() and old.read_bytes() == fresh.read_bytes()


if __name__ == "__main__":
    written = generate(Path(__file__).resolve().parent)
    print(f"casino: {len(written)} files generated from protos/")
