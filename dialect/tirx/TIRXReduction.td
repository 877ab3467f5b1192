//===- TIRXReduction.td - reductions over axes ---------------*- tablegen -*-===//
#ifndef TIRX_REDUCTION_TD
#define TIRX_REDUCTION_TD

include "TIRXTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// The one type of a workspace, so that its type is written nowhere.
class TIRX_WorkspaceType<string context, string integer>
    : StrFunc<"::mlir::tirx::BufferType::get(" # context # ", {}, " # integer #
              ", ::mlir::tirx::MemoryScope::Global, {})">;
def TIRX_Workspace
    : Type<CPred<"$_self == " # TIRX_WorkspaceType<"$_self.getContext()",
                 "::mlir::IntegerType::get($_self.getContext(), 8)">.result>,
           "a workspace, !tirx.buffer<i8, global>", "::mlir::tirx::BufferType">,
      BuildableType<TIRX_WorkspaceType<"$_builder.getContext()",
                    "$_builder.getIntegerType(8)">.result>;

class TIRX_Reduction<string mnemonic, string what> : TIRX_Op<mnemonic> {
  let summary = what;
  let description = [{
    Reduces `src` over `axes` (counted from 0) into `dst`, which has the other
    dimensions, and 1 or nothing in place of the reduced ones.

    - `accum`: the old value of `dst` is one more operand.
    - `strict`: a left fold in increasing index, rounded to the element type at
      every step. Otherwise the order of combination is open.
    - `accumulate = f16`: the type of partial results. Without it, and without
      `strict`, sums and products of f16 and bf16 have f32 partial results and are
      rounded once; other partial results have the wider of the types of `src` and
      `dst`. Integers widen by the sign of the source and are cut to `dst`.
    - `propagate_nan`: `max` and `min` are NaN if an element is. Otherwise they are
      the largest or smallest number, and NaN only if every element is.
    - `ftz`: subnormal operands and results of every f32 operation become zero.

    ```mlir
    tirx.}] # mnemonic # [{ cta %src -> %dst axes [0] {strict}
      : !tirx.buffer<16x16xf32, shared> -> !tirx.buffer<1x16xf32, shared>
    ```

    - `atomic`: CTAs combine with the same `dst`, in global memory, each by one
      atomic for each result; with `accum`, in a scope up to `cta`.

    Under `grid` and `cluster` all CTAs of the launch or of the cluster share the
    work, on buffers in global memory. A reduction of no elements is 0 or 1 there,
    and -inf or the smallest integer for `max`, inf or the largest for `min`. The
    work is cut into strips of neighbouring results; a strip is given to one CTA,
    or to several that split its reduced elements among them.

    - `workspace(%w)`: bytes for partial results, and tickets or flags, which are
      zero before and after (the variants `last_block` and `flagged` say how many).
    - `threads = [R, K]`: a CTA has R threads along the reduced elements, by K along
      the results, two powers of two.
    - `vector`: elements that a thread reads with one instruction, along the
      dimension whose stride is 1; 1 if left out. It promises that the address of
      `src`, the strides of its other dimensions and, if the dimension is kept, its
      size are multiples of that many elements.
    - `unroll`: vectors that a thread reads before it combines them.
    - `streaming`: vectors of 16 bytes are not kept in the L1 cache.
    - `split`: the most CTAs that share a strip. They are as many as the grid has
      for each strip; 1, or the size of the cluster, needs no memory to meet in.
    - `waiting`: so many CTAs at the end of the grid read no elements; they wait for
      the flags that the others, `split` for each strip, leave with their results.
    - `deterministic`: the same bits on every launch with the same grid.
    - `memory_order` (`relaxed` or `acq_rel`), `memory_scope` (`gpu` or `sys`): of
      the atomic that adds to `dst`; the first of each if left out.

    ```mlir
    tirx.}] # mnemonic # [{ grid %x -> %y axes [1] workspace(%w) {vector = 4, unroll = 8}
      : !tirx.buffer<?x?xf32, global, strides = [?, 1]> -> !tirx.buffer<?xf32, global, strides = [?]>
    ```
  }];
  let arguments = (ins TIRX_ExecScope:$exec,
    Arg<TIRX_BufferType, "", [MemRead]>:$src, Arg<TIRX_BufferType, "", [MemWrite]>:$dst,
    Arg<Optional<TIRX_Workspace>, "", [MemRead, MemWrite]>:$workspace,
    DenseI64ArrayAttr:$axes, UnitAttr:$accum, UnitAttr:$strict,
    OptionalAttr<TypeAttr>:$accumulate, UnitAttr:$propagate_nan, UnitAttr:$ftz,
    OptionalAttr<DenseI64ArrayAttr>:$threads, OptionalAttr<I64Attr>:$vector,
    OptionalAttr<I64Attr>:$unroll, OptionalAttr<I64Attr>:$split,
    OptionalAttr<I64Attr>:$waiting,
    UnitAttr:$streaming, UnitAttr:$deterministic, UnitAttr:$atomic,
    OptionalAttr<StrAttr>:$memory_order,
    OptionalAttr<StrAttr>:$memory_scope, OptionalAttr<StrAttr>:$dispatch);
  let assemblyFormat = [{
    $exec $src `->` $dst `axes` $axes (`workspace` `(` $workspace^ `)`)? attr-dict
    `:` qualified(type($src)) `->` qualified(type($dst))
  }];
  let hasVerifier = 1;
}

def TIRX_SumOp : TIRX_Reduction<"sum", "the sum over axes">;
def TIRX_ProdOp : TIRX_Reduction<"prod", "the product over axes">;
def TIRX_MaxOp : TIRX_Reduction<"max", "the largest element over axes">;
def TIRX_MinOp : TIRX_Reduction<"min", "the smallest element over axes">;

/// `dst` has i64 elements: positions, in row-major order over the reduced
/// dimensions, of the first extreme element. NaN is more extreme than any number.
def TIRX_ArgmaxOp : TIRX_Reduction<"argmax", "where the largest element over axes is">;
def TIRX_ArgminOp : TIRX_Reduction<"argmin", "where the smallest element over axes is">;

#endif // TIRX_REDUCTION_TD
