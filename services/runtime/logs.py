"""Structured logs: one JSON object a line on standard error."""

import logging
import sys

import orjson
import structlog

Log = structlog.typing.FilteringBoundLogger


def configure(level: str) -> None:
    """Sets up structlog once per process; `level` is DEBUG, INFO, WARNING or ERROR."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.format_exc_info,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(serializer=_dumps),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.BytesLoggerFactory(sys.stderr.buffer),
        cache_logger_on_first_use=False,
    )


def _dumps(value: object, default: object = None) -> bytes:
    return orjson.dumps(value, default=str, option=orjson.OPT_NON_STR_KEYS)


def log(service: str) -> Log:
    """The log of a service."""
    logger: Log = structlog.get_logger(service=service)
    return logger
