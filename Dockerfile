# The image of a Fuda server: `docker build --tag fuda .` builds it, and deploy/compose.yaml uses it.
# tests/deploy/image.py runs these instructions without Docker, and refuses one that it does not know.
ARG PYTHON=3.11

FROM python:${PYTHON} AS build
# With FUDA_PLAIN=1 the core is not compiled.
ARG FUDA_PLAIN=
WORKDIR /build
COPY pyproject.toml hatch_build.py README.md LICENSE requirements.txt ./
COPY building building
COPY docs/rules docs/rules
COPY web web
COPY src src
# The wheel has the compiled core and the browser client. Without a C compiler it would be built as plain Python.
RUN python -m pip wheel --no-cache-dir --no-deps --wheel-dir dist .
# The dependencies have the versions that the tests run with.
RUN sed -nE 's/^([a-z].*[^ ]) +\\$/\1/p' requirements.txt > constraints.txt \
    && python -m venv --without-pip /opt/fuda \
    && python -m pip --python /opt/fuda/bin/python install --no-cache-dir --constraint constraints.txt \
        "$(echo dist/fuda-*.whl)[cluster]"
RUN test -n "$FUDA_PLAIN" || /opt/fuda/bin/python -c "import fuda; assert fuda.compiled"

FROM python:${PYTHON}-slim
ENV PATH=/opt/fuda/bin:$PATH XDG_DATA_HOME=/data
COPY --from=build /opt/fuda /opt/fuda
RUN install -d -o 10001 -g 10001 -m 700 /data
USER 10001:10001
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s --start-interval=1s CMD ["python", "-c", "import http.client, sys; c = http.client.HTTPConnection('127.0.0.1', 8000, timeout=8); c.request('GET', '/healthz'); sys.exit(c.getresponse().status != 200)"]
ENTRYPOINT ["fuda"]
CMD ["serve", "--host", "0.0.0.0"]
