# The bot alone: no compiler, no stand-in for Discord, not root.  The database lives on the volume /data.
FROM python:3.11-slim AS build
WORKDIR /build
COPY requirements.lock ./
RUN python -m venv /opt/table \
    && /opt/table/bin/pip install --no-cache-dir --require-hashes -r requirements.lock

FROM python:3.11-slim
ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    CAPTAINS_TABLE_DATABASE=/data/captains-table.db \
    CAPTAINS_TABLE_HEARTBEAT=/tmp/heartbeat
# Pillow needs FriBiDi to lay out texts with kerning.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libfribidi0 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /nonexistent table \
    && install --directory --owner=table --group=table /data
COPY --from=build /opt/table /opt/table
WORKDIR /app
COPY rules rules
COPY render render
COPY bot bot
# The bot may not write here, so each start would compile all modules again.
RUN /opt/table/bin/python -m compileall -q .
USER 10001
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 \
    CMD ["/opt/table/bin/python", "-m", "bot.watch.heartbeat", "/tmp/heartbeat"]
ENTRYPOINT ["/opt/table/bin/python", "-m", "bot"]
CMD ["run"]
