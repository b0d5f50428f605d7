(
  select
    concat(
      k.version, $1::text, k.floor, $1::text, k.live, $1::text, k.revision, $1::text, k.revision_tag, $1::text,
      k.largest, $1::text, k.epoch, $1::text,
      coalesce(
        (
          select concat(m.tag, $1::text, m.live, $1::text, m.checksum, $1::text, m.epoch)
          from octavo_example.commits m
          where m.object_type = $2::integer and m.version = k.version
        ), concat($1::text, $1::text, $1::text)
      )
    ), null::text, null::text
  from octavo_example.clock k
  where k.object_type = $5::integer
)
union all
(
  select $3::text || encode(convert_to(pk::text, 'UTF8'), 'hex') || $4::text || scalars, p4::text, pk::text
  from
    (
      select *
      from
        (
          (
            select p4, pk, scalars
            from octavo_example.t1_current
            where p4 is not null
            order by p4 desc nulls first, pk desc nulls first
            limit 11
          )
          union all
          (
            select p4, pk, scalars
            from octavo_example.t1_current
            where p4 is null
            order by p4 desc nulls first, pk desc nulls first
            limit 11
          )
        ) as arms
      limit 11
    ) as rows
)
