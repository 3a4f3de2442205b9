;; What this machine can do at most, as a WebAssembly module that does nothing else: it multiplies a stretch of memory in
;; place, fills it, and multiplies and adds without touching memory at all. Four float32 numbers an instruction.
;; machine.ts holds the bytes of it: wasm-as --enable-simd limits.wat -o - | base64 -w0
(module
  (import "own" "memory" (memory 1))

  ;; Reads and writes every number from byte $at up to byte $end once; both are multiples of 64.
  (func (export "multiply") (param $at i32) (param $end i32) (param $factor f32)
    (local $four v128)
    (local.set $four (f32x4.splat (local.get $factor)))
    (loop $next
      (v128.store (local.get $at) (f32x4.mul (v128.load (local.get $at)) (local.get $four)))
      (v128.store offset=16 (local.get $at) (f32x4.mul (v128.load offset=16 (local.get $at)) (local.get $four)))
      (v128.store offset=32 (local.get $at) (f32x4.mul (v128.load offset=32 (local.get $at)) (local.get $four)))
      (v128.store offset=48 (local.get $at) (f32x4.mul (v128.load offset=48 (local.get $at)) (local.get $four)))
      (br_if $next (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 64))) (local.get $end)))))

  ;; Writes every number once.
  (func (export "fill") (param $at i32) (param $end i32) (param $value f32)
    (local $four v128)
    (local.set $four (f32x4.splat (local.get $value)))
    (loop $next
      (v128.store (local.get $at) (local.get $four))
      (v128.store offset=16 (local.get $at) (local.get $four))
      (v128.store offset=32 (local.get $at) (local.get $four))
      (v128.store offset=48 (local.get $at) (local.get $four))
      (br_if $next (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 64))) (local.get $end)))))

  ;; 64 floating-point operations a step: eight chains, so that no multiplication waits for the one before it.
  (func (export "peak") (param $steps i32) (param $factor f32) (result f32)
    (local $m v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $e v128) (local $f v128) (local $g v128) (local $h v128)
    (local.set $m (f32x4.splat (local.get $factor)))
    (loop $next
      (local.set $a (f32x4.add (f32x4.mul (local.get $a) (local.get $m)) (local.get $m)))
      (local.set $b (f32x4.add (f32x4.mul (local.get $b) (local.get $m)) (local.get $m)))
      (local.set $c (f32x4.add (f32x4.mul (local.get $c) (local.get $m)) (local.get $m)))
      (local.set $d (f32x4.add (f32x4.mul (local.get $d) (local.get $m)) (local.get $m)))
      (local.set $e (f32x4.add (f32x4.mul (local.get $e) (local.get $m)) (local.get $m)))
      (local.set $f (f32x4.add (f32x4.mul (local.get $f) (local.get $m)) (local.get $m)))
      (local.set $g (f32x4.add (f32x4.mul (local.get $g) (local.get $m)) (local.get $m)))
      (local.set $h (f32x4.add (f32x4.mul (local.get $h) (local.get $m)) (local.get $m)))
      (br_if $next (local.tee $steps (i32.sub (local.get $steps) (i32.const 1)))))
    (f32x4.extract_lane 0 (f32x4.add (f32x4.add (f32x4.add (f32x4.add (f32x4.add (f32x4.add (f32x4.add (local.get $a) (local.get $b)) (local.get $c)) (local.get $d)) (local.get $e)) (local.get $f)) (local.get $g)) (local.get $h)))))
