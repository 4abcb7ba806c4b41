"""`./dev cluster`: the site on several hosts, played on one machine with real parts, which are killed in turn.

`parts` finds and runs programs; `database` is etcd, two PostgreSQL under Patroni and HAProxy before them, from the
templates of docs/deploy/cluster; `site` the web hosts and workers; `hall` those who use them, `bookings` what they send
and what the database has of it afterwards; `trial` kills one part after another, and says what came of it.
"""
