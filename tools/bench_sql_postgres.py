"""A PostgreSQL server for bench_sql_peer.py, on a socket in a temporary folder; it ends with the program."""
import atexit
import glob
import os
import shutil
import signal
import subprocess
import tempfile
import time

SETTINGS = {"listen_addresses": "", "shared_buffers": "1GB", "work_mem": "256MB", "max_wal_size": "8GB"}


def programs():
    """The folder of PostgreSQL's programs, the newest; None when it is not installed."""
    found = glob.glob("/usr/lib/postgresql/*/bin/initdb")
    return os.path.dirname(max(found, key=lambda path: int(path.split("/")[4]))) if found else None


def start(folder, bin_folder):
    """Its socket lies in the folder. It refuses to run as root, so then it runs as the user of Debian's package."""
    as_user = {"user": "postgres", "group": "postgres"} if os.geteuid() == 0 else {}
    if as_user:
        shutil.chown(folder, **as_user)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder, **as_user}
    data = f"{folder}/data"
    subprocess.run([f"{bin_folder}/initdb", "-D", data, "-U", "bench", "-A", "trust", "-N"], check=True, **quiet)
    settings = [word for name, value in SETTINGS.items() for word in ("-c", f"{name}={value}")]
    server = subprocess.Popen([f"{bin_folder}/postgres", "-D", data, "-k", folder, *settings], **quiet)

    def stop():
        server.send_signal(signal.SIGINT)
        server.wait()
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(stop)


def connect(folder, patience=30):
    """A connection, as soon as the server takes one."""
    import psycopg2
    end = time.monotonic() + patience
    while True:
        try:
            return psycopg2.connect(host=folder, user="bench", dbname="postgres")
        except psycopg2.OperationalError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def loaded(file):
    """A connection to a server whose table t holds the Parquet file; None without PostgreSQL."""
    bin_folder = programs()
    if not bin_folder:
        return None
    import pyarrow.csv
    import pyarrow.parquet

    folder = tempfile.mkdtemp(prefix="dither-bench-")
    start(folder, bin_folder)
    connection = connect(folder)
    connection.autocommit = True
    with connection.cursor() as cursor, tempfile.TemporaryFile() as rows:
        cursor.execute("CREATE TABLE t (uid BIGINT, g INTEGER, v DOUBLE PRECISION)")
        options = pyarrow.csv.WriteOptions(include_header=False)
        pyarrow.csv.write_csv(pyarrow.parquet.read_table(file), rows, options)
        rows.seek(0)
        cursor.copy_expert("COPY t FROM STDIN (FORMAT csv)", rows)
        cursor.execute("ANALYZE t")
    return connection
