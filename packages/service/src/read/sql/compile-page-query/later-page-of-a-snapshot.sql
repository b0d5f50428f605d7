(
  select
    concat(
      k.version, $1::text, k.floor, $1::text, k.live, $1::text, k.revision, $1::text, k.revision_tag, $1::text,
      k.largest, $1::text, k.epoch, $1::text,
      coalesce(
        (
          select concat(m.tag, $1::text, m.live, $1::text, m.checksum, $1::text, m.epoch)
          from octavo_example.commits m
          where m.object_type = $3::integer and m.version = $2::bigint
        ), concat($1::text, $1::text, $1::text)
      )
    ), null::text, null::text, null::text
  from octavo_example.clock k
  where k.object_type = $27::integer
)
union all
(
  select
    case
      when place = 1
      or bytes <= $26::bigint then head || case when others is null then scalars else scalars || ',' || others
      end
    end, p3::text, p4::text, pk::text
  from
    (
      select
        *, row_number() over () as place,
        sum(
          octet_length(head) + octet_length(scalars) + coalesce(1 + octet_length(others), 0)
        ) over (rows unbounded preceding) as bytes
      from
        (
          select
            *,
            case
              when p1 is null then $4::text || to_json(pk)::text || $5::text
              when octet_length(scalars) < 1000
              and strpos(scalars, $6::text) = 0 then $7::text || pk || $8::text || p1 || $9::text
              else $10::text || to_json(pk)::text || $11::text || to_json(p1)::text || $12::text
            end as head
          from
            (
              select *
              from
                (
                  (
                    select *
                    from
                      (
                        (
                          select p3, p4, pk, p1, scalars, others, version_from <= $16::bigint as alive
                          from octavo_example.t1_current
                          where p3 = $13::text and (p4, pk) < ($14::integer, $15::text)
                          order by p3 asc nulls last, p4 desc nulls last, pk desc nulls last
                        )
                        union all
                        (
                          select
                            p3, p4, pk, p1, scalars, others, version_from <= $16::bigint
                            and version_to > $16::bigint as alive
                          from octavo_example.t1_history
                          where epoch = $17::bigint + 0 and p3 = $13::text and (p4, pk) < ($14::integer, $15::text)
                          order by p3 asc nulls last, p4 desc nulls last, pk desc nulls last
                        )
                        union all
                        (
                          select
                            p3, p4, pk, p1, scalars, others, version_from <= $16::bigint
                            and version_to > $16::bigint as alive
                          from octavo_example.t1_history
                          where epoch = $17::bigint + 1 and p3 = $13::text and (p4, pk) < ($14::integer, $15::text)
                          order by p3 asc nulls last, p4 desc nulls last, pk desc nulls last
                        )
                      ) as sides
                    order by p4 desc nulls last, pk desc nulls last
                    limit 176
                  )
                  union all
                  (
                    select *
                    from
                      (
                        (
                          select p3, p4, pk, p1, scalars, others, version_from <= $19::bigint as alive
                          from octavo_example.t1_current
                          where p3 = $18::text and p4 is null
                          order by p3 asc nulls last, p4 desc nulls last, pk desc nulls last
                        )
                        union all
                        (
                          select
                            p3, p4, pk, p1, scalars, others, version_from <= $19::bigint
                            and version_to > $19::bigint as alive
                          from octavo_example.t1_history
                          where epoch = $20::bigint + 0 and p3 = $18::text and p4 is null
                          order by p3 asc nulls last, p4 desc nulls last, pk desc nulls last
                        )
                        union all
                        (
                          select
                            p3, p4, pk, p1, scalars, others, version_from <= $19::bigint
                            and version_to > $19::bigint as alive
                          from octavo_example.t1_history
                          where epoch = $20::bigint + 1 and p3 = $18::text and p4 is null
                          order by p3 asc nulls last, p4 desc nulls last, pk desc nulls last
                        )
                      ) as sides
                    order by p4 desc nulls last, pk desc nulls last
                    limit 176
                  )
                  union all
                  (
                    select *
                    from
                      (
                        (
                          select p3, p4, pk, p1, scalars, others, version_from <= $22::bigint as alive
                          from octavo_example.t1_current
                          where (p3) > ($21::text)
                          order by p3 asc nulls last, p4 desc nulls last, pk desc nulls last
                        )
                        union all
                        (
                          select
                            p3, p4, pk, p1, scalars, others, version_from <= $22::bigint
                            and version_to > $22::bigint as alive
                          from octavo_example.t1_history
                          where epoch = $23::bigint + 0 and (p3) > ($21::text)
                          order by p3 asc nulls last, p4 desc nulls last, pk desc nulls last
                        )
                        union all
                        (
                          select
                            p3, p4, pk, p1, scalars, others, version_from <= $22::bigint
                            and version_to > $22::bigint as alive
                          from octavo_example.t1_history
                          where epoch = $23::bigint + 1 and (p3) > ($21::text)
                          order by p3 asc nulls last, p4 desc nulls last, pk desc nulls last
                        )
                      ) as sides
                    order by p3 asc nulls last, p4 desc nulls last, pk desc nulls last
                    limit 176
                  )
                  union all
                  (
                    select *
                    from
                      (
                        (
                          select p3, p4, pk, p1, scalars, others, version_from <= $24::bigint as alive
                          from octavo_example.t1_current
                          where p3 is null
                          order by p3 asc nulls last, p4 desc nulls last, pk desc nulls last
                        )
                        union all
                        (
                          select
                            p3, p4, pk, p1, scalars, others, version_from <= $24::bigint
                            and version_to > $24::bigint as alive
                          from octavo_example.t1_history
                          where epoch = $25::bigint + 0 and p3 is null
                          order by p3 asc nulls last, p4 desc nulls last, pk desc nulls last
                        )
                        union all
                        (
                          select
                            p3, p4, pk, p1, scalars, others, version_from <= $24::bigint
                            and version_to > $24::bigint as alive
                          from octavo_example.t1_history
                          where epoch = $25::bigint + 1 and p3 is null
                          order by p3 asc nulls last, p4 desc nulls last, pk desc nulls last
                        )
                      ) as sides
                    order by p3 asc nulls last, p4 desc nulls last, pk desc nulls last
                    limit 176
                  )
                ) as arms
              limit 176
            ) as rows
          where alive
          limit 11
        ) as rows
    ) as rows
)
