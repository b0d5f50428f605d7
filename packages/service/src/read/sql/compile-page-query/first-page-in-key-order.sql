(
  select
    concat(
      k.version, $1::text, k.floor, $1::text, k.live, $1::text, k.revision, $1::text, k.revision_tag, $1::text,
      k.largest, $1::text, k.epoch, $1::text, concat($1::text, $1::text, $1::text)
    )
  from octavo_example.clock k
  where k.object_type = $4::integer
)
union all
(
  select $2::text || encode(convert_to(pk::text, 'UTF8'), 'hex') || $3::text || scalars
  from (select pk, scalars from octavo_example.t1_current order by pk asc nulls last limit 11) as rows
)
