"""`./dev cluster`: the site on several hosts, on one machine with real parts, which are killed in turn.

`parts` finds and runs programs; `database` is etcd, two PostgreSQL under Patroni and HAProxy before them, from the
templates of docs/deploy/cluster; `site` the web hosts and workers; `trial` kills one part after another while people
write (`crash`), and says what came of it.
"""
