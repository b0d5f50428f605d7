-- The same objects as a team would keep them: one column for each property, one index, for the primary key.
-- Read by prepare-data.ts, which puts the number of objects in; what it holds is checked through every peer.
create schema bench;

create table bench.employees (
  employee_id text primary key,
  full_name text,
  department text,
  age integer,
  about text,
  email text,
  hired_at timestamptz
);

insert into bench.employees
select
  'employee-' || lpad(n::text, 9, '0'),
  'Person ' || n || ' of the sample, edition ' || (n % 10 = n / 10 % 10)::int,
  'department-' || n % 97,
  case when n % 10 > 0 then n::bigint * 7919 % 90 end,
  repeat('Reads collections page by page and wonders whether one was lost on the way. ', 2),
  'person.' || n || '@example.org',
  ('20' || 10 + n % 15 || '-05-01T12:00:00.' || lpad((n % 1000000)::text, 6, '0') || 'Z')::timestamptz
from generate_series(0, :objects - 1) as n;
