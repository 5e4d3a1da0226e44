//! How `docker` and its like are judged.

use super::super::testing::{check, check_unknown};
use super::*;

#[test]
fn what_runs_in_a_container() {
    check(
        judge,
        &[
            ("docker exec web rm x", "[rm|x] inside"),
            ("docker exec -it web bash", "unknown on a guest"),
            ("docker-compose exec web sh", "unknown on a guest"),
            ("docker exec -it -u root -w /srv web sh -c 'rm x'", "[sh|-c|rm x] inside"),
            ("docker exec -i web sh <<< rm x", "[sh] inside <<< rm x"),
            ("docker exec -d web rm <<< x", "[rm] inside <nothing"),
            ("docker exec -e A=b --env C=d web rm", "sets A=b; sets C=d; [rm] inside"),
            ("docker container exec web rm x", "[rm|x] inside"),
            ("docker compose -f x.yml exec -T db psql", "[psql] inside"),
            ("docker-compose exec db rm x", "[rm|x] inside"),
            ("podman exec web rm x", "[rm|x] inside"),
            ("nerdctl -n k8s.io exec web rm x", "[rm|x] inside"),
            ("docker run --rm -v /:/host alpine rm x", "table; [rm|x] inside"),
            ("docker run -d nginx", "table"),
            ("docker run --help", "reads"),
            ("docker run --entrypoint sh nginx -c 'rm x'", "table; [sh|-c|rm x] inside"),
            ("docker compose run --rm web rm x", "table; [rm|x] inside"),
            ("docker ps -a", "table"),
            ("docker container ls", "table"),
            ("docker --log-level debug images", "table"),
            ("docker", "table"),
        ],
    );
}

#[test]
fn containers_on_another_machine() {
    check(
        judge,
        &[
            ("docker -H ssh://u@web01 restart x", "[docker|restart|x] at web01"),
            ("docker --host=tcp://web01:2375 exec x rm y", "[docker|exec|x|rm|y] at web01"),
            ("docker -H unix:///run/x ps", "sets DOCKER_HOST=unix:///var/run/docker.sock; [docker|ps]"),
            ("docker -H tcp://127.0.0.1:2375 rm x", "[docker|rm|x] at ?"),
            ("docker --context prod rm x", "[docker|rm|x] at ?"),
            ("docker --context=default ps", "sets DOCKER_HOST=unix:///var/run/docker.sock; [docker|ps]"),
            ("docker -c … ps", "[docker|ps] at ?"),
            ("podman --url ssh://u@web01:22/run/x ps", "[podman|ps] at web01"),
            ("podman -r rm x", "[podman|rm|x] at ?"),
            ("podman --connection prod rm x", "[podman|rm|x] at ?"),
        ],
    );
    check_unknown(
        judge,
        &[
            "podman ps --url ssh://web01/x",
            "docker exec $* rm",
            "docker exec --nope web rm",
            "docker run --nope x rm",
            "docker run img -la",
            "docker … rm x",
            "docker $* ps",
            "docker exec -e … web ls",
        ],
    );
}
