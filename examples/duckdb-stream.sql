-- A stream in DuckDB: one request, one table, and an error if the stream was cut. In a shell:
--
--     curl --fail -H "Authorization: Bearer $OCTAVO_TOKEN" -H 'Content-Type: application/json' \
--       -d '{}' "$OCTAVO_URL/api/example/v1/objects/types/employee/export" > employee.ndjson
--     duckdb -bail employee.duckdb < duckdb-stream.sql
--
-- The types are named, because DuckDB would guess them from the first lines. A long and a decimal travel as text, so that no reader
-- rounds them: name them bigint and decimal(38, 2) here.

begin;

create or replace temp table lines as
from read_ndjson('employee.ndjson', columns = { type: 'varchar', objectCount: 'bigint', object: 'json' });

-- The last line says how many objects the stream has. Without it the stream was cut, and the table stays as it was.
select case
  when (select max(objectCount) from lines where type = 'end') = (select count(*) from lines where type = 'object') then 'complete'
  else error('The stream was cut, or has failed: its last line is not its end. Read it again.')
end as stream;

create or replace table employee as
select unnest(from_json(object->'properties', '{
  "employeeId": "integer",
  "fullName": "varchar",
  "department": "varchar",
  "startedOn": "date",
  "name": [{ "firstName": "varchar", "lastName": "varchar" }]
}'))
from lines
where type = 'object';

commit;

select department, count(*) as employees, min(startedOn) as since
from employee
group by department
order by department;
