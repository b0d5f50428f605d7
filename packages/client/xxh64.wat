;; XXH64 with seed 0, of the first bytes of the memory (https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md).
(module
  (memory (export "memory") 1)

  (func $round (param $lane i64) (param $word i64) (result i64)
    (i64.mul
      (i64.rotl
        (i64.add (local.get $lane) (i64.mul (local.get $word) (i64.const 0xc2b2ae3d27d4eb4f)))
        (i64.const 31))
      (i64.const 0x9e3779b185ebca87)))

  (func $merge (param $hash i64) (param $lane i64) (result i64)
    (i64.add
      (i64.mul
        (i64.xor (local.get $hash) (call $round (i64.const 0) (local.get $lane)))
        (i64.const 0x9e3779b185ebca87))
      (i64.const 0x85ebca77c2b2ae63)))

  (func (export "hash") (param $length i32) (result i64)
    (local $at i32) (local $hash i64) (local $a i64) (local $b i64) (local $c i64) (local $d i64)
    (local.set $hash (i64.const 0x27d4eb2f165667c5))

    ;; Four lanes, as long as 32 bytes are left.
    (if (i32.ge_u (local.get $length) (i32.const 32))
      (then
        (local.set $a (i64.const 0x60ea27eeadc0b5d6))
        (local.set $b (i64.const 0xc2b2ae3d27d4eb4f))
        (local.set $d (i64.const 0x61c8864e7a143579))
        (loop $stripes
          (local.set $a (call $round (local.get $a) (i64.load (local.get $at))))
          (local.set $b (call $round (local.get $b) (i64.load offset=8 (local.get $at))))
          (local.set $c (call $round (local.get $c) (i64.load offset=16 (local.get $at))))
          (local.set $d (call $round (local.get $d) (i64.load offset=24 (local.get $at))))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (br_if $stripes (i32.ge_u (i32.sub (local.get $length) (local.get $at)) (i32.const 32))))
        (local.set $hash
          (i64.add
            (i64.add (i64.rotl (local.get $a) (i64.const 1)) (i64.rotl (local.get $b) (i64.const 7)))
            (i64.add (i64.rotl (local.get $c) (i64.const 12)) (i64.rotl (local.get $d) (i64.const 18)))))
        (local.set $hash (call $merge (local.get $hash) (local.get $a)))
        (local.set $hash (call $merge (local.get $hash) (local.get $b)))
        (local.set $hash (call $merge (local.get $hash) (local.get $c)))
        (local.set $hash (call $merge (local.get $hash) (local.get $d)))))
    (local.set $hash (i64.add (local.get $hash) (i64.extend_i32_u (local.get $length))))

    ;; The rest: eight bytes at a time, then four, then one.
    (block $no_words
      (loop $words
        (br_if $no_words (i32.lt_u (i32.sub (local.get $length) (local.get $at)) (i32.const 8)))
        (local.set $hash
          (i64.add
            (i64.mul
              (i64.rotl
                (i64.xor (local.get $hash) (call $round (i64.const 0) (i64.load (local.get $at))))
                (i64.const 27))
              (i64.const 0x9e3779b185ebca87))
            (i64.const 0x85ebca77c2b2ae63)))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (br $words)))
    (if (i32.ge_u (i32.sub (local.get $length) (local.get $at)) (i32.const 4))
      (then
        (local.set $hash
          (i64.add
            (i64.mul
              (i64.rotl
                (i64.xor
                  (local.get $hash)
                  (i64.mul (i64.load32_u (local.get $at)) (i64.const 0x9e3779b185ebca87)))
                (i64.const 23))
              (i64.const 0xc2b2ae3d27d4eb4f))
            (i64.const 0x165667b19e3779f9)))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))))
    (block $no_bytes
      (loop $bytes
        (br_if $no_bytes (i32.ge_u (local.get $at) (local.get $length)))
        (local.set $hash
          (i64.mul
            (i64.rotl
              (i64.xor
                (local.get $hash)
                (i64.mul (i64.load8_u (local.get $at)) (i64.const 0x27d4eb2f165667c5)))
              (i64.const 11))
            (i64.const 0x9e3779b185ebca87)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $bytes)))

    (local.set $hash
      (i64.mul
        (i64.xor (local.get $hash) (i64.shr_u (local.get $hash) (i64.const 33)))
        (i64.const 0xc2b2ae3d27d4eb4f)))
    (local.set $hash
      (i64.mul
        (i64.xor (local.get $hash) (i64.shr_u (local.get $hash) (i64.const 29)))
        (i64.const 0x165667b19e3779f9)))
    (i64.xor (local.get $hash) (i64.shr_u (local.get $hash) (i64.const 32)))))
