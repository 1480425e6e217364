"""The S3 service of tests/transfer/s3 as a context manager: `with service(folder, ["exports"]) as url`."""
import contextlib
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
# The only account of the service.
ACCESS_KEY_ID = SECRET_ACCESS_KEY = "S3RVER"


def install_npm_packages():
    """Runs npm ci unless node_modules already matches the lock file."""
    installed, lock = HERE / "node_modules" / ".package-lock.json", HERE / "package-lock.json"
    if installed.exists() and installed.stat().st_mtime >= lock.stat().st_mtime:
        return True
    done = subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"], cwd=HERE)
    if done.returncode != 0:
        print("npm ci failed: the S3 service needs the packages of tests/transfer/s3/package-lock.json")
    return done.returncode == 0


@contextlib.contextmanager
def service(folder, buckets):
    """Yields the address, http://127.0.0.1:PORT, of the running service, whose objects are below `folder`."""
    # It makes continuation tokens with a cipher that OpenSSL 3 considers legacy.
    command = ["node", "--openssl-legacy-provider", HERE / "server.mjs", folder, *buckets]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        port = process.stdout.readline().strip()
        if not port:
            raise RuntimeError(f"the S3 service did not start, and ended with {process.wait(timeout=10)}")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.stdin.close()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
