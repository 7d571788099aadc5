-- Applied to every service's schema before its own migrations, with the search path set to that schema.
-- `set search_path from current` fixes each function to the schema it was made in.

-- Facts are inserted and never changed: the trigger holds for the tables' owner and in replica mode too.
create function refuse_change() returns trigger
    language plpgsql set search_path from current as $$
begin
    raise exception 'append-only table %', tg_table_name
        using errcode = 'restrict_violation', hint = 'Enter a new fact that names the one it supersedes.';
end $$;

create procedure append_only(fact regclass)
    language plpgsql set search_path from current as $$
begin
    execute format('create trigger refuse_change before update or delete on %s
                    for each row execute function refuse_change()', fact);
    execute format('alter table %s enable always trigger refuse_change', fact);
    call append_only_truncate(fact);
end $$;

-- A statement trigger is not handed down to partitions as a row trigger is, so each of them gets its own.
create procedure append_only_truncate(fact regclass)
    language plpgsql set search_path from current as $$
begin
    execute format('create trigger refuse_truncate before truncate on %s
                    for each statement execute function refuse_change()', fact);
    execute format('alter table %s enable always trigger refuse_truncate', fact);
end $$;

-- Makes the partition of the day's month if there is none, and says whether it made it.
-- Built aside and attached: readers and writers of the other months are not blocked.
-- The partition carries no grants: it is reached through its parent alone.
create function ensure_partition(parent text, day date) returns boolean
    language plpgsql security definer set search_path from current as $$
declare
    first date := date_trunc('month', day::timestamp);
    partition text := format('%s_%s', parent, to_char(day, 'YYYYMM'));
    whole regclass;
begin
    select class.oid into whole
      from pg_class class join pg_partitioned_table partitioned on partitioned.partrelid = class.oid
     where class.relname = parent and class.relnamespace = current_schema()::regnamespace;
    if whole is null then
        raise exception 'expected a partitioned table of schema %, got %', current_schema(), parent
            using errcode = 'undefined_table';
    end if;
    perform pg_advisory_xact_lock(hashtextextended(current_schema() || '.' || parent, 0));
    if to_regclass(format('%I', partition)) is not null then
        return false;
    end if;
    execute format('create table %I (like %s including defaults including generated including constraints
                    including storage including compression)', partition, whole);
    execute format('alter table %s attach partition %I for values from (%L) to (%L)',
                   whole, partition, first, (first + interval '1 month')::date);
    if exists (select from pg_trigger where tgrelid = whole and tgname = 'refuse_truncate') then
        call append_only_truncate(format('%I', partition)::regclass);
    end if;
    return true;
end $$;

-- The months a migration makes ahead: `select ensure_partitions('round', '2026-01-01', 13)`.
create function ensure_partitions(parent text, first date, months integer) returns void
    language sql set search_path from current as $$
    select ensure_partition(parent, (first + make_interval(months => month))::date)
      from generate_series(0, months - 1) as month;
$$;

revoke execute on function refuse_change(), ensure_partition(text, date), ensure_partitions(text, date, integer)
    from public;
revoke execute on procedure append_only(regclass), append_only_truncate(regclass) from public;

do $$
begin
    execute format('grant execute on function ensure_partition(text, date) to %I', 'casino_' || current_schema());
end $$;
