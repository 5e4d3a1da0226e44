//! The functions of each server that are known, by what they do. Pure.

/// Words that no bracket makes a call: of the language, of types, of hints.
#[rustfmt::skip]
pub const KEYWORDS: &[&str] = &[
    "against", "all", "and", "any", "apply", "array", "as", "bernoulli", "between", "bigint", "binary", "bit", "blob",
    "both", "by", "bytea", "case", "char", "character", "clob", "columns", "conflict", "connect_by_root", "cube",
    "datetime", "datetime2", "datetimeoffset", "dec", "decimal", "distinct", "double", "else", "escape", "except", "exists",
    "filter", "float", "for", "from", "group", "grouping", "groups", "having", "in", "index", "int", "integer", "intersect",
    "interval", "into", "is", "join", "keep", "key", "lateral", "left", "like", "limit", "match", "materialized", "nchar",
    "nolock", "not", "number", "numeric", "nvarchar", "nvarchar2", "of", "offset", "on", "only", "option", "or", "order",
    "over", "partition", "path", "pivot", "precision", "qualify", "range", "raw", "real", "recursive", "return",
    "returning", "right", "rollup", "root", "row", "rows", "select", "separator", "sets", "signed", "similar", "smallint",
    "some", "system_time", "tablesample", "text", "then", "time", "timestamp", "timestamptz", "timetz", "tinyint", "top",
    "union", "unpivot", "unsigned", "using", "uuid", "values", "varbinary", "varchar", "varchar2", "varying", "when",
    "where", "window", "with", "within", "xor", "year",
];

/// Of every server.
#[rustfmt::skip]
pub const COMMON: &[&str] = &[
    "abs", "acos", "ascii", "asin", "atan", "atan2", "avg", "cast", "ceil", "ceiling", "char", "char_length",
    "character_length", "chr", "coalesce", "concat", "concat_ws", "convert", "corr", "cos", "cot", "count", "covar_pop",
    "covar_samp", "cume_dist", "current_date", "current_time", "current_timestamp", "current_user", "date", "day",
    "degrees", "dense_rank", "exp", "extract", "first_value", "floor", "greatest", "grouping", "hour", "if", "json_object",
    "lag", "last_value", "lead", "least", "left", "length", "ln", "localtime", "localtimestamp", "log", "log10", "lower",
    "lpad", "ltrim", "max", "min", "minute", "mod", "month", "now", "nth_value", "ntile", "nullif", "octet_length",
    "percent_rank", "percentile_cont", "percentile_disc", "pi", "position", "pow", "power", "radians", "rank", "repeat",
    "replace", "reverse", "right", "round", "row_number", "rpad", "rtrim", "second", "session_user", "sign", "sin", "space",
    "sqrt", "stddev", "stddev_pop", "stddev_samp", "substr", "substring", "sum", "tan", "time", "trim", "trunc", "upper",
    "var_pop", "var_samp", "variance", "year",
];

/// Of PostgreSQL and its common extensions: those that its own catalog calls immutable or stable, and of the volatile
/// ones those that only show, wait or lock.
#[rustfmt::skip]
pub const POSTGRES: &[&str] = &[
    "abbrev", "aclcontains", "aclexplode", "acosd", "acosh", "age", "akeys", "amvalidate", "any_value", "area", "array_agg",
    "array_append", "array_cat", "array_dims", "array_fill", "array_length", "array_lower", "array_ndims", "array_out",
    "array_position", "array_positions", "array_prepend", "array_remove", "array_replace", "array_sample", "array_shuffle",
    "array_to_json", "array_to_string", "array_to_tsvector", "array_upper", "arraycontained", "arraycontains",
    "arrayoverlap", "asind", "asinh", "atan2d", "atand", "atanh", "avals", "bit", "bit_and", "bit_count", "bit_length",
    "bit_or", "bit_xor", "bool", "bool_and", "bool_or", "bound_box", "box", "broadcast", "btrim", "cardinality", "cbrt",
    "center", "clock_timestamp", "col_description", "convert_from", "convert_to", "cosd", "cosh", "cotd", "crypt",
    "current_catalog", "current_database", "current_query", "current_role", "current_schema", "current_schemas",
    "current_setting", "currval", "database_to_xml", "database_to_xmlschema", "date_bin", "date_part", "date_trunc",
    "decode", "diagonal", "diameter", "difference", "digest", "div", "dmetaphone", "each", "encode", "enum_first",
    "enum_last", "erf", "every", "factorial", "family", "float4", "float8", "format", "format_type", "gcd",
    "gen_random_uuid", "gen_salt", "generate_series", "generate_subscripts", "get_bit", "get_byte", "get_current_ts_config",
    "getdatabaseencoding", "getpgusername", "has_any_column_privilege", "has_column_privilege", "has_database_privilege",
    "has_foreign_data_wrapper_privilege", "has_function_privilege", "has_language_privilege", "has_parameter_privilege",
    "has_schema_privilege", "has_sequence_privilege", "has_server_privilege", "has_table_privilege",
    "has_tablespace_privilege", "has_type_privilege", "hashtext", "height", "hmac", "host", "hostmask", "hstore",
    "inet_client_addr", "inet_client_port", "inet_merge", "inet_same_family", "inet_server_addr", "inet_server_port",
    "initcap", "int2", "int4", "int8", "interval", "is_normalized", "isclosed", "isempty", "isfinite", "ishorizontal",
    "isparallel", "isperp", "isvertical", "json", "json_agg", "json_array", "json_array_element", "json_array_element_text",
    "json_array_elements", "json_array_elements_text", "json_array_length", "json_arrayagg", "json_build_array",
    "json_build_object", "json_each", "json_each_text", "json_exists", "json_extract_path", "json_extract_path_text",
    "json_object_agg", "json_object_field", "json_object_field_text", "json_object_keys", "json_objectagg",
    "json_populate_record", "json_populate_recordset", "json_query", "json_scalar", "json_serialize", "json_strip_nulls",
    "json_table", "json_to_record", "json_to_recordset", "json_to_tsvector", "json_typeof", "json_value", "jsonb_agg",
    "jsonb_array_element", "jsonb_array_element_text", "jsonb_array_elements", "jsonb_array_elements_text",
    "jsonb_array_length", "jsonb_build_array", "jsonb_build_object", "jsonb_concat", "jsonb_contained", "jsonb_contains",
    "jsonb_delete", "jsonb_delete_path", "jsonb_each", "jsonb_each_text", "jsonb_exists", "jsonb_exists_all",
    "jsonb_exists_any", "jsonb_extract_path", "jsonb_extract_path_text", "jsonb_insert", "jsonb_object", "jsonb_object_agg",
    "jsonb_object_field", "jsonb_object_field_text", "jsonb_object_keys", "jsonb_path_exists", "jsonb_path_exists_opr",
    "jsonb_path_exists_tz", "jsonb_path_match", "jsonb_path_match_opr", "jsonb_path_match_tz", "jsonb_path_query",
    "jsonb_path_query_array", "jsonb_path_query_array_tz", "jsonb_path_query_first", "jsonb_path_query_first_tz",
    "jsonb_path_query_tz", "jsonb_populate_record", "jsonb_populate_recordset", "jsonb_pretty", "jsonb_set",
    "jsonb_set_lax", "jsonb_strip_nulls", "jsonb_to_record", "jsonb_to_recordset", "jsonb_to_tsvector", "jsonb_typeof",
    "justify_days", "justify_hours", "justify_interval", "lastval", "lcm", "levenshtein", "like", "like_escape", "lo_get",
    "lower_inc", "lower_inf", "lseg", "ltree2text", "make_date", "make_interval", "make_time", "make_timestamp",
    "make_timestamptz", "masklen", "md5", "metaphone", "mode", "money", "name", "netmask", "network", "nlevel", "normalize",
    "npoints", "num_nonnulls", "num_nulls", "numeric", "numnode", "obj_description", "overlaps", "overlay", "parse_ident",
    "path", "pg_advisory_lock", "pg_advisory_lock_shared", "pg_advisory_unlock", "pg_advisory_unlock_all",
    "pg_advisory_unlock_shared", "pg_advisory_xact_lock", "pg_advisory_xact_lock_shared", "pg_available_extension_versions",
    "pg_available_extensions", "pg_backend_pid", "pg_blocking_pids", "pg_buffercache_pages", "pg_char_to_encoding",
    "pg_client_encoding", "pg_collation_actual_version", "pg_collation_for", "pg_collation_is_visible",
    "pg_column_compression", "pg_column_is_updatable", "pg_column_size", "pg_conf_load_time", "pg_config",
    "pg_control_checkpoint", "pg_control_init", "pg_control_recovery", "pg_control_system", "pg_conversion_is_visible",
    "pg_current_logfile", "pg_current_snapshot", "pg_current_wal_flush_lsn", "pg_current_wal_insert_lsn",
    "pg_current_wal_lsn", "pg_current_xact_id", "pg_current_xact_id_if_assigned", "pg_database_collation_actual_version",
    "pg_database_size", "pg_describe_object", "pg_encoding_max_length", "pg_encoding_to_char",
    "pg_event_trigger_ddl_commands", "pg_event_trigger_dropped_objects", "pg_event_trigger_table_rewrite_oid",
    "pg_event_trigger_table_rewrite_reason", "pg_extension_update_paths", "pg_filenode_relation", "pg_freespace",
    "pg_function_is_visible", "pg_get_backend_memory_contexts", "pg_get_catalog_foreign_keys", "pg_get_constraintdef",
    "pg_get_expr", "pg_get_function_arguments", "pg_get_function_identity_arguments", "pg_get_function_result",
    "pg_get_function_sqlbody", "pg_get_functiondef", "pg_get_indexdef", "pg_get_keywords", "pg_get_object_address",
    "pg_get_partition_constraintdef", "pg_get_partkeydef", "pg_get_publication_tables", "pg_get_replica_identity_index",
    "pg_get_replication_slots", "pg_get_ruledef", "pg_get_serial_sequence", "pg_get_shmem_allocations",
    "pg_get_statisticsobjdef", "pg_get_statisticsobjdef_columns", "pg_get_statisticsobjdef_expressions",
    "pg_get_triggerdef", "pg_get_userbyid", "pg_get_viewdef", "pg_get_wal_replay_pause_state",
    "pg_get_wal_resource_managers", "pg_has_role", "pg_hba_file_rules", "pg_ident_file_mappings", "pg_identify_object",
    "pg_identify_object_as_address", "pg_index_column_has_property", "pg_index_has_property", "pg_indexam_has_property",
    "pg_indexam_progress_phasename", "pg_indexes_size", "pg_is_in_backup", "pg_is_in_recovery", "pg_is_other_temp_schema",
    "pg_is_wal_replay_paused", "pg_jit_available", "pg_last_committed_xact", "pg_last_wal_receive_lsn",
    "pg_last_wal_replay_lsn", "pg_last_xact_replay_timestamp", "pg_listening_channels", "pg_lock_status",
    "pg_logical_slot_peek_binary_changes", "pg_logical_slot_peek_changes", "pg_ls_archive_statusdir", "pg_ls_dir",
    "pg_ls_logdir", "pg_ls_logicalmapdir", "pg_ls_logicalsnapdir", "pg_ls_replslotdir", "pg_ls_tmpdir", "pg_ls_waldir",
    "pg_lsn", "pg_mcv_list_items", "pg_my_temp_schema", "pg_notification_queue_usage", "pg_opclass_is_visible",
    "pg_operator_is_visible", "pg_opfamily_is_visible", "pg_options_to_table", "pg_partition_ancestors",
    "pg_partition_root", "pg_partition_tree", "pg_postmaster_start_time", "pg_prepared_statement", "pg_prepared_xact",
    "pg_read_binary_file", "pg_read_file", "pg_relation_filenode", "pg_relation_filepath", "pg_relation_is_updatable",
    "pg_relation_size", "pg_replication_origin_oid", "pg_safe_snapshot_blocking_pids", "pg_sequence_last_value",
    "pg_sequence_parameters", "pg_settings_get_flags", "pg_show_all_file_settings", "pg_show_all_settings",
    "pg_show_replication_origin_status", "pg_size_bytes", "pg_size_pretty", "pg_sleep", "pg_sleep_for", "pg_sleep_until",
    "pg_snapshot_xip", "pg_snapshot_xmax", "pg_snapshot_xmin", "pg_stat_file", "pg_stat_statements",
    "pg_stat_statements_info", "pg_statistics_obj_is_visible", "pg_table_is_visible", "pg_table_size",
    "pg_tablespace_databases", "pg_tablespace_location", "pg_tablespace_size", "pg_timezone_abbrevs", "pg_timezone_names",
    "pg_total_relation_size", "pg_trigger_depth", "pg_try_advisory_lock", "pg_try_advisory_lock_shared",
    "pg_try_advisory_xact_lock", "pg_try_advisory_xact_lock_shared", "pg_ts_config_is_visible", "pg_type_is_visible",
    "pg_typeof", "pg_visible_in_snapshot", "pg_wal_lsn_diff", "pg_walfile_name", "pg_walfile_name_offset",
    "pg_xact_commit_timestamp", "pg_xact_status", "pgp_sym_decrypt", "pgstatindex", "pgstattuple", "phraseto_tsquery",
    "plainto_tsquery", "point", "polygon", "querytree", "quote_ident", "quote_literal", "quote_nullable", "radius",
    "random", "random_normal", "range_agg", "range_intersect_agg", "range_merge", "regexp_count", "regexp_instr",
    "regexp_like", "regexp_match", "regexp_matches", "regexp_replace", "regexp_split_to_array", "regexp_split_to_table",
    "regexp_substr", "regr_avgx", "regr_avgy", "regr_count", "regr_intercept", "regr_r2", "regr_slope", "regr_sxx",
    "regr_sxy", "regr_syy", "row_security_active", "row_to_json", "schema_to_xml", "schema_to_xmlschema", "set_bit",
    "set_byte", "set_masklen", "setseed", "setweight", "sha224", "sha256", "sha384", "sha512", "shobj_description",
    "show_trgm", "similar_escape", "similar_to_escape", "similarity", "sind", "sinh", "skeys", "slope", "soundex",
    "split_part", "st_area", "st_asgeojson", "st_astext", "st_contains", "st_distance", "st_dwithin", "st_geomfromtext",
    "st_intersects", "st_length", "st_makepoint", "st_setsrid", "st_srid", "st_transform", "st_within", "st_y",
    "starts_with", "statement_timestamp", "string_agg", "string_to_array", "string_to_table", "strip", "strpos", "subpath",
    "svals", "table_to_xml", "table_to_xml_and_xmlschema", "table_to_xmlschema", "tand", "tanh", "text", "time_bucket",
    "timeofday", "timestamp", "timestamptz", "timetz", "to_ascii", "to_bin", "to_char", "to_date", "to_hex", "to_json",
    "to_jsonb", "to_number", "to_oct", "to_regclass", "to_regcollation", "to_regnamespace", "to_regoper", "to_regoperator",
    "to_regproc", "to_regprocedure", "to_regtype", "to_timestamp", "to_tsquery", "to_tsvector", "transaction_timestamp",
    "translate", "trim_array", "ts_debug", "ts_delete", "ts_filter", "ts_headline", "ts_lexize", "ts_match_qv",
    "ts_match_tq", "ts_match_tt", "ts_match_vq", "ts_parse", "ts_rank", "ts_rank_cd", "ts_token_type", "tsquery_and",
    "tsquery_not", "tsquery_or", "tsquery_phrase", "tsvector_concat", "tsvector_to_array", "txid_current",
    "txid_current_if_assigned", "txid_current_snapshot", "txid_snapshot_xip", "txid_snapshot_xmax", "txid_snapshot_xmin",
    "txid_status", "txid_visible_in_snapshot", "unaccent", "unistr", "unnest", "upper_inc", "upper_inf", "uuid_generate_v1",
    "uuid_generate_v4", "uuid_generate_v5", "uuidv4", "uuidv7", "varchar", "version", "websearch_to_tsquery", "width",
    "width_bucket", "word_similarity", "xml", "xml_is_well_formed", "xml_is_well_formed_content",
    "xml_is_well_formed_document", "xmlagg", "xmlcomment", "xmlelement", "xmlexists", "xmlforest", "xmlparse",
    "xmlserialize", "xmlvalidate", "xpath", "xpath_exists",
];

/// Of MySQL and MariaDB.
#[rustfmt::skip]
pub const MYSQL: &[&str] = &[
    "adddate", "addtime", "aes_decrypt", "aes_encrypt", "any_value", "benchmark", "bin", "bin_to_uuid", "bit_and",
    "bit_count", "bit_length", "bit_or", "bit_xor", "charset", "coercibility", "collation", "compress", "connection_id",
    "conv", "convert_tz", "crc32", "curdate", "current_role", "curtime", "database", "date_add", "date_format", "date_sub",
    "datediff", "dayname", "dayofmonth", "dayofweek", "dayofyear", "default", "elt", "export_set", "extractvalue", "field",
    "find_in_set", "format", "format_bytes", "format_pico_time", "from_base64", "from_days", "from_unixtime", "get_format",
    "get_lock", "group_concat", "gtid_subset", "gtid_subtract", "hex", "ifnull", "inet6_aton", "inet6_ntoa", "inet_aton",
    "inet_ntoa", "insert", "instr", "interval", "is_free_lock", "is_ipv4", "is_ipv4_compat", "is_ipv4_mapped", "is_ipv6",
    "is_used_lock", "is_uuid", "isnull", "json_array", "json_array_append", "json_array_insert", "json_arrayagg",
    "json_compact", "json_contains", "json_contains_path", "json_depth", "json_detailed", "json_exists", "json_extract",
    "json_insert", "json_keys", "json_length", "json_loose", "json_merge", "json_merge_patch", "json_merge_preserve",
    "json_objectagg", "json_overlaps", "json_pretty", "json_query", "json_quote", "json_remove", "json_replace",
    "json_schema_valid", "json_search", "json_set", "json_storage_free", "json_storage_size", "json_table", "json_type",
    "json_unquote", "json_valid", "json_value", "last_day", "last_insert_id", "lcase", "load_file", "locate", "log2",
    "make_set", "makedate", "maketime", "master_pos_wait", "match", "md5", "median", "microsecond", "mid", "monthname",
    "name_const", "natural_sort_key", "nvl", "nvl2", "oct", "old_password", "ord", "password", "period_add", "period_diff",
    "point", "ps_current_thread_id", "ps_thread_id", "quarter", "quote", "rand", "random_bytes", "regexp_instr",
    "regexp_like", "regexp_replace", "regexp_substr", "release_all_locks", "release_lock", "row_count", "schema",
    "sec_to_time", "sha", "sha1", "sha2", "sleep", "soundex", "source_pos_wait", "st_area", "st_asbinary", "st_asgeojson",
    "st_astext", "st_contains", "st_distance", "st_distance_sphere", "st_geomfromtext", "st_intersects", "st_length",
    "st_srid", "st_within", "st_y", "std", "str_to_date", "strcmp", "subdate", "substring_index", "subtime", "sysdate",
    "system_user", "time_format", "time_to_sec", "timediff", "timestamp", "timestampadd", "timestampdiff", "to_base64",
    "to_char", "to_days", "to_seconds", "truncate", "ucase", "uncompress", "uncompressed_length", "unhex", "unix_timestamp",
    "updatexml", "user", "utc_date", "utc_time", "utc_timestamp", "uuid", "uuid_short", "uuid_to_bin",
    "validate_password_strength", "values", "version", "wait_for_executed_gtid_set", "week", "weekday", "weekofyear",
    "weight_string", "yearweek",
];

/// Of SQL Server, methods of XML included.
#[rustfmt::skip]
pub const MSSQL: &[&str] = &[
    "app_name", "applock_mode", "approx_count_distinct", "asymkey_id", "atn2", "base64_decode", "base64_encode",
    "binary_checksum", "bit_count", "certencoded", "charindex", "checksum", "checksum_agg", "choose", "col_length",
    "col_name", "collationproperty", "columnproperty", "columns_updated", "compress", "connectionproperty", "containstable",
    "containsx", "context_info", "count_big", "current_request_id", "current_timezone", "current_timezone_id",
    "current_transaction_id", "cursor_status", "databasepropertyex", "datalength", "date_bucket", "dateadd", "datediff",
    "datediff_big", "datefromparts", "datename", "datepart", "datetime2fromparts", "datetimefromparts",
    "datetimeoffsetfromparts", "datetrunc", "db_id", "db_name", "decompress", "decryptbykey", "decryptbypassphrase",
    "difference", "encryptbypassphrase", "eomonth", "error_line", "error_message", "error_number", "error_procedure",
    "error_severity", "error_state", "eventdata", "exist", "file_id", "file_idex", "file_name", "filegroup_id",
    "filegroup_name", "fileproperty", "fn_dblog", "fn_get_audit_file", "fn_helpcollations", "fn_listextendedproperty",
    "fn_my_permissions", "fn_trace_gettable", "fn_virtualfilestats", "fn_xe_file_target_read_file", "format",
    "formatmessage", "freetexttable", "fulltextcatalogproperty", "fulltextserviceproperty", "generate_series", "get_bit",
    "get_filestream_transaction_context", "getansinull", "getdate", "getutcdate", "has_dbaccess", "has_perms_by_name",
    "hashbytes", "host_id", "host_name", "ident_current", "ident_incr", "ident_seed", "iif", "index_col",
    "indexkey_property", "indexproperty", "is_member", "is_objectsigned", "is_rolemember", "is_srvrolemember", "isdate",
    "isjson", "isnull", "isnumeric", "json_array", "json_modify", "json_path_exists", "json_query", "json_value",
    "key_guid", "key_id", "left_shift", "len", "loginproperty", "min_active_rowversion", "nchar", "newid",
    "newsequentialid", "nodes", "object_definition", "object_id", "object_name", "object_schema_name", "objectproperty",
    "objectpropertyex", "opendatasourcex", "openjson", "openxml", "original_db_name", "original_login", "parse",
    "parsename", "patindex", "permissions", "pwdcompare", "pwdencrypt", "query", "quotename", "rand", "replicate",
    "right_shift", "rowcount_big", "schema_id", "schema_name", "scope_identity", "serverproperty", "session_context",
    "sessionproperty", "set_bit", "smalldatetimefromparts", "soundex", "square", "stats_date", "stdev", "stdevp", "str",
    "string_agg", "string_escape", "string_split", "stuff", "suser_id", "suser_name", "suser_sid", "suser_sname",
    "switchoffset", "sysdatetime", "sysdatetimeoffset", "system_user", "sysutcdatetime", "textptr", "textvalid",
    "timefromparts", "todatetimeoffset", "translate", "trigger_nestlevel", "try_cast", "try_convert", "try_parse",
    "type_id", "type_name", "typeproperty", "unicode", "update", "user_id", "user_name", "value", "var", "varp",
    "xact_state",
];

/// Of Oracle.
#[rustfmt::skip]
pub const ORACLE: &[&str] = &[
    "add_months", "any_value", "appendchildxml", "approx_count_distinct", "asciistr", "bfilename", "bin_to_num", "bitand",
    "cardinality", "chartorowid", "collect", "compose", "cosh", "dbtimezone", "decode", "decompose", "deref", "dump",
    "empty_blob", "empty_clob", "existsnode", "extractvalue", "from_tz", "group_id", "grouping_id", "hextoraw", "initcap",
    "instr", "instrb", "instrc", "iteration_number", "json_array", "json_arrayagg", "json_exists", "json_mergepatch",
    "json_objectagg", "json_query", "json_serialize", "json_table", "json_transform", "json_value", "last_day", "lengthb",
    "lengthc", "listagg", "lnnvl", "localtimestamp", "median", "months_between", "nanvl", "nchr", "new_time", "next_day",
    "nls_charset_decl_len", "nls_charset_id", "nls_charset_name", "nls_initcap", "nls_lower", "nls_upper", "nlssort",
    "numtodsinterval", "numtoyminterval", "nvl", "nvl2", "ora_hash", "ora_rowscn", "path", "presentnnv", "presentv",
    "previous", "ratio_to_report", "rawtohex", "rawtonhex", "regexp_count", "regexp_instr", "regexp_like", "regexp_replace",
    "regexp_substr", "remainder", "rowidtochar", "scn_to_timestamp", "sessiontimezone", "sinh", "soundex", "standard_hash",
    "stats_mode", "substrb", "substrc", "sys_connect_by_path", "sys_context", "sys_extract_utc", "sys_guid", "sys_typeid",
    "sysdate", "systimestamp", "tanh", "timestamp_to_scn", "to_binary_double", "to_binary_float", "to_blob", "to_char",
    "to_clob", "to_date", "to_dsinterval", "to_lob", "to_multi_byte", "to_nchar", "to_nclob", "to_number", "to_single_byte",
    "to_timestamp", "to_timestamp_tz", "to_yminterval", "translate", "treat", "tz_offset", "uid", "unistr", "user",
    "userenv", "validate_conversion", "vsize", "width_bucket", "wm_concat", "xmlagg", "xmlcast", "xmlcolattval",
    "xmlconcat", "xmlelement", "xmlexists", "xmlforest", "xmlparse", "xmlquery", "xmlsequence", "xmlserialize", "xmltable",
    "xmltype",
];

/// Of SQLite and its shell.
#[rustfmt::skip]
pub const SQLITE: &[&str] = &[
    "bm25", "changes", "concat", "datetime", "format", "generate_series", "glob", "group_concat", "hex", "highlight",
    "ifnull", "iif", "instr", "json", "json_array", "json_array_length", "json_each", "json_extract", "json_group_array",
    "json_group_object", "json_insert", "json_patch", "json_quote", "json_remove", "json_replace", "json_set", "json_tree",
    "json_type", "json_valid", "julianday", "last_insert_rowid", "like", "likelihood", "likely", "lsdir", "median",
    "octet_length", "pragma_database_list", "pragma_foreign_key_list", "pragma_index_info", "pragma_index_list",
    "pragma_table_info", "pragma_table_list", "pragma_table_xinfo", "printf", "quote", "random", "randomblob", "readfile",
    "regexp", "sha3", "snippet", "soundex", "sqlite_compileoption_get", "sqlite_compileoption_used", "sqlite_offset",
    "sqlite_source_id", "sqlite_version", "strftime", "string_agg", "subsec", "timediff", "total", "total_changes",
    "typeof", "unhex", "unicode", "unixepoch", "unlikely", "zeroblob",
];

/// Change a server of PostgreSQL.
#[rustfmt::skip]
pub const POSTGRES_CHANGES: &[&str] = &[
    "binary_upgrade_create_empty_extension", "brin_desummarize_range", "brin_summarize_new_values", "brin_summarize_range",
    "gin_clean_pending_list", "lo_creat", "lo_create", "lo_export", "lo_from_bytea", "lo_import", "lo_put", "lo_truncate",
    "lo_truncate64", "lo_unlink", "lowrite", "nextval", "pg_backup_start", "pg_backup_stop", "pg_cancel_backend",
    "pg_copy_logical_replication_slot", "pg_copy_physical_replication_slot", "pg_create_logical_replication_slot",
    "pg_create_physical_replication_slot", "pg_create_restore_point", "pg_drop_replication_slot",
    "pg_extension_config_dump", "pg_file_rename", "pg_file_sync", "pg_file_unlink", "pg_file_write",
    "pg_import_system_collations", "pg_log_backend_memory_contexts", "pg_logical_emit_message",
    "pg_logical_slot_get_binary_changes", "pg_logical_slot_get_changes", "pg_nextoid", "pg_prewarm", "pg_promote",
    "pg_reload_conf", "pg_replication_origin_advance", "pg_replication_origin_create", "pg_replication_origin_drop",
    "pg_replication_slot_advance", "pg_rotate_logfile", "pg_start_backup", "pg_stat_reset",
    "pg_stat_reset_replication_slot", "pg_stat_reset_shared", "pg_stat_reset_single_function_counters",
    "pg_stat_reset_single_table_counters", "pg_stat_reset_slru", "pg_stat_reset_subscription_stats",
    "pg_stat_statements_reset", "pg_stop_backup", "pg_switch_wal", "pg_switch_xlog", "pg_terminate_backend",
    "pg_truncate_visibility_map", "pg_wal_replay_pause", "pg_wal_replay_resume", "setval",
];

/// Change a server of MySQL or MariaDB.
#[rustfmt::skip]
pub const MYSQL_CHANGES: &[&str] = &[
    "nextval", "setval", "sys_set",
];

/// Write files from SQLite's shell.
#[rustfmt::skip]
pub const SQLITE_CHANGES: &[&str] = &[
    "writefile",
];

/// Reach other machines, or run a text, from PostgreSQL.
#[rustfmt::skip]
pub const POSTGRES_BEYOND: &[&str] = &[
    "connectby", "crosstab", "dblink", "dblink_build_sql_insert", "dblink_connect", "dblink_connect_u", "dblink_exec",
    "dblink_fetch", "dblink_get_result", "dblink_open", "dblink_send_query", "http", "http_delete", "http_get",
    "http_patch", "http_post", "http_put", "pg_background_launch", "pg_execute_server_program", "plperl", "plpython",
    "query_to_xml", "query_to_xml_and_xmlschema", "query_to_xmlschema", "set_config", "ts_rewrite", "ts_stat",
];

/// The same from MySQL.
#[rustfmt::skip]
pub const MYSQL_BEYOND: &[&str] = &[
    "http_get", "http_post", "lib_mysqludf_sys_info", "sys_eval", "sys_exec", "sys_get",
];

/// The same from SQL Server.
#[rustfmt::skip]
pub const MSSQL_BEYOND: &[&str] = &[
    "opendatasource", "openquery", "openrowset",
];

/// The same from Oracle.
#[rustfmt::skip]
pub const ORACLE_BEYOND: &[&str] = &[
    "httpuritype", "urifactory",
];

/// The same from SQLite.
#[rustfmt::skip]
pub const SQLITE_BEYOND: &[&str] = &[
    "edit", "eval", "load_extension", "shell",
];
