"""Installs the npm packages of a folder's package-lock.json."""
import subprocess


def install(folder, exactly=True):
    """Installs the packages unless node_modules already matches the lock file. Returns whether they are installed.

    `exactly`: npm ci, which refuses a lock file that lacks packages for other systems, as a registry without them makes it.
    """
    installed, lock = folder / "node_modules" / ".package-lock.json", folder / "package-lock.json"
    if installed.exists() and installed.stat().st_mtime >= lock.stat().st_mtime:
        return True
    command = ["ci"] if exactly else ["install", "--no-save"]
    done = subprocess.run(["npm", *command, "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"], cwd=folder)
    if done.returncode == 0:
        installed.touch()
    else:
        print(f"npm {command[0]} failed: the tests need the packages of {lock}")
    return done.returncode == 0
