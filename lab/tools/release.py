"""`./dev release [FOLDER]`: the wheel, the lock files to install it by, and checksums, signed with `--sign KEY`."""

import shutil
import subprocess
import sys
import zipfile
from argparse import ArgumentParser
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("clubsite", "scoring", "tournaments")
BROUGHT = (
    "templates",
    "static",
    "docs/deploy",
    "docs/directors-guide.md",
    "docs/guia-del-director.md",
    "docs/pictures",
)
LOCKS = ("requirements.lock", "requirements-postgres.lock", "requirements-photo.lock")
SUMS, SIGNERS = "SHA256SUMS", "release-signers"
WHO = "nine-tables"  # whose signature, and of what, it is


def main() -> None:
    parser = ArgumentParser(prog="./dev release", description="Builds the wheel, with checksums.")
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "dist", help="where the files go (dist)")
    parser.add_argument("--sign", type=Path, metavar="KEY", help="sign the checksums with this SSH key")
    options = parser.parse_args()
    build_release(options.folder, key=options.sign)


def build_release(folder: Path, *, key: Path | None = None) -> Path:
    """The wheel, built in the folder, which then holds what people download."""
    folder.mkdir(parents=True, exist_ok=True)
    for older in folder.glob("*.whl"):
        older.unlink()
    base = Path(sys.base_prefix, "bin", "python3")  # the environment has no pip
    subprocess.run([base, "-m", "pip", "wheel", "-qq", "--no-deps", "--wheel-dir", folder, ROOT], check=True)
    wheel = next(folder.glob("*.whl"))
    check_contents(wheel)
    files = [wheel, *(Path(shutil.copy(ROOT / lock, folder)) for lock in LOCKS)]
    sums = folder / SUMS
    sums.write_text("".join(f"{sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files))
    if key:
        subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-f", key, "-n", WHO, sums], check=True)
        public = key.with_name(f"{key.name}.pub").read_text().split()[:2]
        (folder / SIGNERS).write_text(f"{WHO} {' '.join(public)}\n")
    print(f"{wheel}: {wheel.stat().st_size / 1e6:.2f} MB; {SUMS} is {'signed' if key else 'not signed (--sign KEY)'}")
    return wheel


def make_throwaway_key(folder: Path) -> Path:
    """A key for proofs. The maintainers' own is never here."""
    key = folder / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", key], check=True)
    return key


def check_contents(wheel: Path) -> None:
    """End where the wheel lacks a file of the checkout, or has one that isn't in git."""
    listed = subprocess.check_output(["git", "-C", ROOT, "ls-files", *PACKAGES, *BROUGHT], text=True).splitlines()
    wanted = {name if name.startswith(PACKAGES) else f"clubsite/shipped/{name}" for name in listed}
    wanted |= {f"clubsite/shipped/{file.relative_to(ROOT).with_suffix('.mo')}" for file in ROOT.glob("locale/*/*/*.po")}
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    if wrong := sorted(wanted ^ inside):
        sys.exit(f"The wheel and git differ in {len(wrong)} files: {', '.join(wrong[:10])}")


if __name__ == "__main__":
    main()
