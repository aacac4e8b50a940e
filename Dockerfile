# The image of every service; without arguments it runs the game service.
#
#     docker build -t daifugo:0.1.0 .
#     docker run daifugo:0.1.0 python -m services.game --open-mode      (or with --issuer: docs/identity.md)
#     docker run daifugo:0.1.0 python -m services.matchmaker --open-mode --game-address GAME:50051
#
# tests/chart/test_image.py runs these very steps without docker. It understands what stands here: paths in RUN are
# relative, and steps that start with apt-get are left out.

ARG PYTHON=3.11

FROM python:${PYTHON}-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /opt
COPY requirements.lock source/
# Whatever is installed below is checked against the lock's hashes here, and comes from this folder only.
RUN python -m venv tools && \
    tools/bin/pip --no-cache-dir --disable-pip-version-check download --quiet --no-deps --require-hashes -r source/requirements.lock -d wheels && \
    tools/bin/pip --disable-pip-version-check install --quiet --no-compile --no-index --find-links wheels --require-hashes -r source/requirements.lock
COPY . source/
# strict: an engine that cannot be compiled fails the build, instead of running more slowly than anybody expects.
ARG DAIFUGO_COMPILE=strict
RUN DAIFUGO_COMPILE="$DAIFUGO_COMPILE" tools/bin/pip --disable-pip-version-check wheel --quiet --no-index --no-deps --no-build-isolation -w wheels ./source
RUN python -m venv --without-pip daifugo && \
    tools/bin/pip --disable-pip-version-check --python daifugo/bin/python install --quiet --no-index --find-links wheels daifugo

FROM python:${PYTHON}-slim
COPY --from=build /opt/daifugo /opt/daifugo
ENV PATH=/opt/daifugo/bin:$PATH
# Nothing is imported from the working directory, nothing is written beside the code, and lines appear when printed.
ENV PYTHONSAFEPATH=1 PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
ENV DAIFUGO_HOST=0.0.0.0
EXPOSE 50051 50052 50053
USER 10001:10001
WORKDIR /tmp
CMD ["python", "-m", "services.game"]
