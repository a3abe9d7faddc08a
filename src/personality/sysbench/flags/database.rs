//! Options of database tests: sysbench takes them beside any test, so lines have them.

use super::{Row, idle};

const NONE: &str = "fileio has no database";

/// In the order of help.
pub(super) const ROWS: &[Row] = &[
    idle("--db-driver", "=<value>", "how databases are reached", NONE),
    idle(
        "--db-ps-mode",
        "=<value>",
        "how databases are reached",
        NONE,
    ),
    idle("--db-debug", "[=on|off]", "how databases are reached", NONE),
    idle("--mysql-host", "=<value>", "a setting of MySQL", NONE),
    idle("--mysql-port", "=<value>", "a setting of MySQL", NONE),
    idle("--mysql-socket", "=<value>", "a setting of MySQL", NONE),
    idle("--mysql-user", "=<value>", "a setting of MySQL", NONE),
    idle("--mysql-password", "=<value>", "a setting of MySQL", NONE),
    idle("--mysql-db", "=<value>", "a setting of MySQL", NONE),
    idle("--mysql-ssl", "[=on|off]", "a setting of MySQL", NONE),
    idle("--mysql-ssl-cipher", "=<value>", "a setting of MySQL", NONE),
    idle("--mysql-ssl-key", "=<value>", "a setting of MySQL", NONE),
    idle("--mysql-ssl-ca", "=<value>", "a setting of MySQL", NONE),
    idle("--mysql-ssl-cert", "=<value>", "a setting of MySQL", NONE),
    idle(
        "--mysql-compression",
        "[=on|off]",
        "a setting of MySQL",
        NONE,
    ),
    idle(
        "--mysql-compression-algorithms",
        "=<value>",
        "a setting of MySQL",
        NONE,
    ),
    idle("--mysql-debug", "[=on|off]", "a setting of MySQL", NONE),
    idle(
        "--mysql-ignore-errors",
        "=<value>",
        "a setting of MySQL",
        NONE,
    ),
    idle("--mysql-dry-run", "[=on|off]", "a setting of MySQL", NONE),
    idle(
        "--mysql-table-engine",
        "=<value>",
        "a setting of MySQL",
        NONE,
    ),
    idle("--mysql-engine-trx", "=<value>", "a setting of MySQL", NONE),
    idle(
        "--mysql-create-options",
        "=<value>",
        "a setting of MySQL",
        NONE,
    ),
    idle("--pgsql-host", "=<value>", "a setting of PostgreSQL", NONE),
    idle("--pgsql-port", "=<value>", "a setting of PostgreSQL", NONE),
    idle("--pgsql-user", "=<value>", "a setting of PostgreSQL", NONE),
    idle(
        "--pgsql-password",
        "=<value>",
        "a setting of PostgreSQL",
        NONE,
    ),
    idle("--pgsql-db", "=<value>", "a setting of PostgreSQL", NONE),
    idle(
        "--pgsql-sslmode",
        "=<value>",
        "a setting of PostgreSQL",
        NONE,
    ),
];
