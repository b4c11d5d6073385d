"""Background jobs ignore SIGINT; Python then raises no KeyboardInterrupt, and tests that wait for one would hang."""
import signal

signal.signal(signal.SIGINT, signal.default_int_handler)
