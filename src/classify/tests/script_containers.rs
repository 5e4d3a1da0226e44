//! Containers: on which machine they are.

use super::*;

const SSH: &str = "{\"currentContext\":\"prod\"}";
const META: &str =
    "{\"Name\":\"prod\",\"Endpoints\":{\"docker\":{\"Host\":\"ssh://root@web01\",\"SkipTLSVerify\":false}}}";
/// The folder of the context `prod` is called by the SHA-256 of its name.
const PROD: &str =
    "/home/jo/.docker/contexts/meta/6754af9632a2745e85c293e5aac0863370d9bd3330b9938c00cadfd215227d77/meta.json";

#[test]
fn on_the_own_machine_and_on_others() {
    check(
        r#"
        docker ps => read_only
        docker restart x => read_only
        docker run --rm --privileged -v /:/host alpine chroot /host rm -rf /x => read_only
        docker compose up -d => read_only
        podman restart x => read_only
        nerdctl rm x => read_only
        docker exec x ssh web01 reboot => mutating web01
        docker context use prod => unknown
        docker context use prod; docker restart x => unknown
        ssh web01 docker ps => read_only
        ssh web01 docker restart x => mutating web01
        ssh web01 docker exec x cat /etc/x => read_only
        docker -H ssh://root@web01 ps => read_only
        docker -H ssh://root@web01 restart x => mutating web01
        docker --host=tcp://10.0.0.5:2375 rm -f x => mutating 10.0.0.5
        docker -H web01:2375 rm x => mutating web01
        docker -H 'tcp://[fe80::5]:2375' rm x => mutating fe80::5
        docker -H unix:///run/docker.sock rm x => read_only
        docker -H tcp://localhost:2375 rm x => unknown
        docker -H "$H" rm x => unknown
        docker -H "$H" ps => read_only
        docker -H ssh://web01 exec x cat /etc/x => read_only
        docker -H ssh://web01 exec x rm /etc/x => mutating web01
        docker -H ssh://web01 cp x:/etc/y . => read_only
        docker -H ssh://web01 cp y x:/etc => mutating web01
        docker -H ssh://web01 compose up -d => mutating web01
        docker-compose -H ssh://web01 up -d => mutating web01
        docker -H ssh://web01 push x => unknown web01
        docker -H ssh://web01 -H unix:///run/docker.sock rm x => read_only
        DOCKER_HOST=ssh://root@web01 docker restart x => mutating web01
        DOCKER_HOST=ssh://root@web01 docker ps => read_only
        export DOCKER_HOST=tcp://10.0.0.5:2375; docker compose down => mutating 10.0.0.5
        DOCKER_HOST=tcp://10.0.0.5:2375 docker-compose down => mutating 10.0.0.5
        env DOCKER_HOST=ssh://web01 docker rm x => mutating web01
        DOCKER_HOST=ssh://web01 sh -c 'docker rm x' => mutating web01
        DOCKER_HOST=ssh://web01 docker -H unix:///run/docker.sock rm x => read_only
        DOCKER_HOST= docker rm x => read_only
        DOCKER_HOST=unix:///run/user/1000/docker.sock docker rm x => read_only
        DOCKER_HOST=$H docker rm x => unknown
        DOCKER_HOST=ssh://web01; docker rm x => unknown
        DOCKER_HOST=ssh://web01 make deploy => unknown
        DOCKER_HOST=ssh://web01 kind create cluster => unknown
        docker exec -e DOCKER_HOST=ssh://web01 x docker rm y => mutating web01
        DOCKER_HOST=ssh://web01 chroot /x docker rm y => mutating web01
        DOCKER_HOST=ssh://web01 docker ps; cargo test; docker rm x => read_only
        export $(cat .env | xargs) && docker compose up -d => read_only
        export $(cat .env | xargs) && cargo test => read_only
        export DOCKER_HOST=unix:///x; export $(cat .env | xargs); docker rm x => unknown
        read DOCKER_HOST; docker restart x => unknown
        docker --config /tmp/x -H unix:///run/docker.sock ps => unknown
        CONTAINERS_CONF=/tmp/x podman --remote ps => unknown
        DOCKER_HOST=ssh://web01 ls => read_only
        export DOCKER_HOST=ssh://web01; mkdir x => read_only
        unset DOCKER_HOST; docker rm x => read_only
        unset DOCKER_HOST; make => unknown
        unset DOCKER_HOST; docker -H ${DOCKER_HOST-ssh://web01} rm x => unknown
        DOCKER_HOST=ssh://web01; unset DOCKER_HOST; docker rm x => read_only
        if ls; then unset DOCKER_HOST; fi; docker rm x => unknown
        DOCKER_CONTEXT=prod docker rm x => unknown
        DOCKER_CONTEXT=default docker rm x => read_only
        docker --context prod rm x => unknown
        docker --context default rm x => read_only
        docker rm -f $(docker ps -aq) => read_only
        docker ps -q | xargs docker stop => read_only
        docker container rm $(docker container ls -q) => read_only
        docker volume rm $V => read_only
        docker start $(docker ps -aq) => read_only
        docker $X rm y => unknown
        docker rm -$X y => unknown
        docker -H ssh://web01 rm -f $(docker -H ssh://web01 ps -aq) => mutating web01
        ssh web01 'docker rm -f $(docker ps -aq)' => mutating web01
        podman rm $X => unknown
        podman --remote rm x => unknown
        podman --url ssh://root@web01:22/run/podman.sock rm x => mutating web01
        podman --connection prod rm x => unknown
        podman --connection prod ps => read_only
        CONTAINER_HOST=ssh://root@web01/run/podman.sock podman rm x => mutating web01
        CONTAINER_HOST=ssh://root@web01/run/podman.sock podman --remote rm x => mutating web01
        CONTAINER_CONNECTION=prod podman rm x => unknown
        podman machine ssh x reboot => unknown
        DOCKER_CONFIG=/tmp/x docker rm x => unknown
        "#,
        &Places::default(),
        &[],
    );
}

#[test]
fn the_context_that_docker_is_set_to_use() {
    let files = [("/home/jo/.docker/config.json", SSH), (PROD, META)];
    check(
        r#"
        docker ps => read_only
        docker restart x => mutating web01
        docker compose up -d => mutating web01
        docker --context default restart x => read_only
        docker --context prod restart x => mutating web01
        docker -H unix:///run/docker.sock restart x => read_only
        DOCKER_HOST=unix:///run/docker.sock docker restart x => read_only
        DOCKER_CONTEXT=prod docker restart x => mutating web01
        docker --context other restart x => unknown
        ssh db01 docker restart x => mutating db01
        docker login => read_only
        podman restart x => read_only
        echo '{}' > ~/.docker/config.json; docker restart x => unknown
        "#,
        &Places::default(),
        &files,
    );
    for (config, expected) in [
        ("{\"auths\":{}}", "read_only"),
        ("{\"currentContext\":\"\"}", "read_only"),
        ("{\"currentContext\":\"default\"}", "read_only"),
        ("{\"currentContext\":\"gone\"}", "unknown"),
        ("{", "unknown"),
    ] {
        let seen = seen_in("docker restart x", &Places::default(), &[("/home/jo/.docker/config.json", config)]);
        assert_eq!(shown(&seen), expected, "{config}");
    }
}

#[test]
fn what_is_only_known_when_it_runs_behind_a_sub_command() {
    check(
        r#"
        docker build -t x:$TAG . => read_only
        docker build -t x:$(git rev-parse --short HEAD) . => read_only
        docker tag x y:$TAG && docker push y:$TAG => read_only
        docker logs -f $(docker ps -q) => read_only
        docker exec $(docker ps -qf name=x) ls => read_only
        docker run --rm -v $(pwd):/app -w /app python:3.12 pytest => read_only
        docker run --rm -v $(pwd):/app x ssh web01 reboot => mutating web01
        docker compose -f $F up -d => read_only
        docker $X ps => unknown
        docker -H $X build -t x:$TAG . => unknown
        DOCKER_HOST=ssh://web01 docker build -t x:$TAG . => mutating web01 + web01
        docker swarm $X => unknown
        docker compose $X => unknown
        docker exec c $X => unknown
        docker exec c sh -c "$X" => unknown
        docker exec c sh -c $X => unknown
        docker exec c psql $OPTS => unknown
        docker exec c psql $X => read_only
        docker exec $C curl -X POST $X => unknown
        docker compose exec app $X => unknown
        docker run $OPTS ssh web01 reboot => unknown
        docker run -it $(pwd) => unknown
        docker run -v $(pwd):/w x ssh web01 $X => unknown
        ssh web01 'docker logs $X' => unknown web01
        "#,
        &Places::default(),
        &[],
    );
}
